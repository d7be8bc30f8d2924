//! `ort` on its two quick paths: tensors made once, either bound or given with the call.
#[path = "../../exports.rs"]
mod exports;

use std::{path::Path, sync::OnceLock};

use ort::{
    Result,
    environment::Environment,
    memory::Allocator,
    session::{
        HasSelectedOutputs, IoBinding, OutputSelector, RunOptions, Session, SessionInputValue, SessionOutputs,
        builder::GraphOptimizationLevel,
    },
    value::{Outlet, Shape, Tensor},
};

const PATHS: &[(&str, &str)] = &[
    ("ort_run_binding", concat!("ort ", env!("CARGO_PKG_VERSION"), "'s `run_binding`")),
    ("ort_preallocated", concat!("ort ", env!("CARGO_PKG_VERSION"), "'s `run_with_options` into an output made once")),
];

#[allow(clippy::large_enum_variant)] // there is one, and a box would be one more step of the timed call
enum Call {
    Binding(IoBinding),
    Preallocated([SessionInputValue<'static>; 1], RunOptions<HasSelectedOutputs>),
}

struct Peer {
    session: Session,
    call: Call,
}

/// One a process.
static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();

fn environment() -> Result<&'static Environment> {
    if ENVIRONMENT.get().is_none() {
        let _ = ENVIRONMENT.set(ort::init().with_telemetry(false).build()?);
    }
    Ok(ENVIRONMENT.get().expect("just set"))
}

fn shape(outlet: &Outlet) -> Shape {
    outlet.dtype().tensor_shape().expect("the models have tensors only").clone()
}

impl Call {
    fn new(path: usize, session: &Session, x: &[f32]) -> Result<Self> {
        let (input, output) = (&session.inputs()[0], &session.outputs()[0]);
        let x = Tensor::from_array((shape(input), x.to_vec()))?;
        let y = Tensor::<f32>::new(&Allocator::default(), shape(output))?;
        if path == 0 {
            let mut binding = session.create_binding()?;
            binding.bind_input(input.name(), &x)?;
            binding.bind_output(output.name(), y)?;
            return Ok(Self::Binding(binding));
        }
        let outputs = OutputSelector::default().preallocate(output.name(), y);
        Ok(Self::Preallocated([x.into()], RunOptions::new()?.with_outputs(outputs)))
    }
}

impl Peer {
    /// With nothing registered, the CPU provider is alone.
    fn open(path: usize, model: &Path, x: &[f32]) -> Result<Self> {
        let session = Session::builder(environment()?)?
            .with_intra_threads(1)?
            .with_optimization_level(GraphOptimizationLevel::All)?
            .commit_from_file(model)?;
        let call = Call::new(path, &session, x)?;
        Ok(Self { session, call })
    }

    fn outputs(&mut self) -> Result<SessionOutputs<'_>> {
        match &self.call {
            Call::Binding(binding) => self.session.run_binding(binding),
            Call::Preallocated(inputs, options) => self.session.run_with_options(&inputs[..], options),
        }
    }

    fn run(&mut self) -> Result<()> {
        self.outputs().map(drop)
    }

    fn copy_output(&mut self, y: &mut [f32]) -> Result<()> {
        y.copy_from_slice(self.outputs()?[0].try_extract_tensor::<f32>()?.1);
        Ok(())
    }
}
