//! `native-onnx` as it is quickest: buffers of its own, bound once, and `run`.
#[path = "../../exports.rs"]
mod exports;

use std::path::Path;

use native_onnx::{OnnxOptions, OnnxSession, Result};

const PATHS: &[(&str, &str)] =
    &[("native_onnx", concat!("native-onnx ", env!("CARGO_PKG_VERSION"), "'s prepared `run`"))];

struct Peer {
    session: OnnxSession,
    output: String,
}

impl Peer {
    /// `OnnxOptions::cpu` is the CPU provider alone, one intra-op thread, sequential. The crate asks for layout
    /// optimizations rather than all: ONNX Runtime 1.32 writes the same graph of the timed models with either.
    fn open(_path: usize, model: &Path, x: &[f32]) -> Result<Self> {
        let mut session = OnnxSession::load(model, OnnxOptions::cpu())?;
        let (input, output) = (session.info().inputs[0].name.clone(), session.info().outputs[0].name.clone());
        session.input_mut(&input)?.as_f32_mut()?.copy_from_slice(x);
        Ok(Self { session, output })
    }

    fn run(&mut self) -> Result<()> {
        self.session.run()
    }

    fn copy_output(&mut self, y: &mut [f32]) -> Result<()> {
        self.run()?;
        y.copy_from_slice(self.session.output(&self.output)?.as_f32()?);
        Ok(())
    }
}
