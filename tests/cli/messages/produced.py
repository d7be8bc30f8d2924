"""Makes real messages: each function makes ONNX Runtime, Python or Surefoot fail and gives the text.

Registered under the slug of the entry that must be found for it. A function gets a Workshop.
"""

import copy
import ctypes
import pathlib
import subprocess
import sys

import numpy as np
import onnxruntime as ort

from messages import small_models as small
from messages.small_models import INT64, value, weight

ort.set_default_logger_severity(4)  # the exception has the text; the log would only repeat it

PRODUCERS = []
ROW = np.zeros((1, 4), np.float32)


class Workshop:
    def __init__(self, surefoot, folder, models, library):
        self.surefoot, self.folder, self.models, self.library = surefoot, folder, models, library

    def says(self, *words, **how):
        """All that the surefoot command prints, whatever its exit code."""
        done = self.surefoot(*words, **how)
        return done.stdout + done.stderr

    def python(self, code, cwd=None):
        done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)
        return done.stderr


def produces(slug):
    def register(function):
        PRODUCERS.append((slug, function))
        return function

    return register


def raised(function):
    """The text of the exception, as the last line of a traceback has it."""
    try:
        function()
    except BaseException as error:  # noqa: BLE001  (ONNX Runtime's own derive from Exception, some from others)
        return f"{type(error).__name__}: {error}"
    raise AssertionError("nothing was raised")


def on_opening(slug, make):
    PRODUCERS.append((slug, lambda shop: raised(lambda: ort.InferenceSession(make(shop)))))


def on_running(slug, make, **feed):
    PRODUCERS.append((slug, lambda shop: raised(lambda: ort.InferenceSession(make(shop)).run(None, feed))))


def on_file(slug, name):
    """What ORT and what Surefoot say of one of the test models."""
    on_opening(slug, lambda shop: str(shop.models / name))


# ---- the library ---------------------------------------------------------------------------------

@produces("onnxruntime-file-unusable")
def a_folder_named_as_library(shop):
    return shop.says("plan", shop.models / "mlp.onnx", SUREFOOT_ONNXRUNTIME=str(shop.folder))


@produces("onnxruntime-file-unusable")
def a_library_that_is_another(shop):
    other = next(pathlib.Path("/lib").rglob("libm.so.6"))
    return shop.says("plan", shop.models / "mlp.onnx", SUREFOOT_ONNXRUNTIME=str(other))


@produces("onnxruntime-file-unusable")
def a_text_file_opened_as_library(shop):
    (shop.folder / "libonnxruntime.so").write_text("not a library, but long enough to hold the header of one" * 4)
    return raised(lambda: ctypes.CDLL(str(shop.folder / "libonnxruntime.so")))


@produces("onnxruntime-too-old")
def an_api_that_is_too_new(shop):
    code = f"""
import ctypes
class Base(ctypes.Structure):
    _fields_ = [("get", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)), ("version", ctypes.c_void_p)]
library = ctypes.CDLL({str(shop.library("cpu-1.31.1"))!r})
library.OrtGetApiBase.restype = ctypes.POINTER(Base)
library.OrtGetApiBase().contents.get(99)
"""
    return shop.python(code)


@produces("onnxruntime-file-unusable")
def a_library_that_is_not_there(shop):
    return shop.says("plan", shop.models / "mlp.onnx", SUREFOOT_ONNXRUNTIME="/no/such/library.so")


@produces("library-needs-library")
def a_library_without_what_it_needs(shop):
    return raised(lambda: ctypes.CDLL("libno-such-thing.so.1"))


# ---- Python --------------------------------------------------------------------------------------

@produces("python-module-shadowed")
def a_file_of_the_same_name(shop):
    (shop.folder / "onnxruntime.py").write_text("")
    return shop.python("import onnxruntime; onnxruntime.InferenceSession('m.onnx')", cwd=shop.folder)


@produces("python-module-missing")
def a_python_without_the_package(shop):
    return shop.python("import sys; sys.path = [p for p in sys.path if 'site-packages' not in p]; import onnxruntime")


@produces("python-session-not-picklable")
def a_session_that_is_copied(shop):
    session = ort.InferenceSession(small.identity())
    return raised(lambda: copy.deepcopy(session))


on_running("python-inputs-missing", lambda shop: small.identity(), X=ROW)


# ---- providers -----------------------------------------------------------------------------------

@produces("provider-not-in-build")
def a_provider_that_python_does_not_have(shop):
    code = "import onnxruntime, sys; onnxruntime.InferenceSession(sys.argv[1], providers=['CUDAExecutionProvider'])"
    return shop.python(code.replace("sys.argv[1]", repr(str(shop.models / "mlp.onnx"))))


@produces("provider-not-in-build")
def a_provider_that_this_build_does_not_have(shop):
    return shop.says("plan", shop.models / "mlp.onnx", "--only", "cuda")


@produces("provider-unknown-name")
def a_provider_that_nobody_has(shop):
    return shop.says("plan", shop.models / "mlp.onnx", "--prefer", "opnvino")


@produces("provider-unknown-name")
def a_string_in_place_of_a_list(shop):
    path = str(shop.models / "mlp.onnx")
    code = f"import onnxruntime; onnxruntime.InferenceSession({path!r}, providers='cpu')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout


@produces("cuda-library-missing")
def the_gpu_build_without_cuda(shop):
    return shop.says("plan", shop.models / "mlp.onnx", "--only", "cuda", runtime="gpu-1.31.1")


@produces("cuda-library-missing")
def the_gpu_provider_registered_by_hand(shop):
    provider = shop.library("gpu-1.31.1").with_name("libonnxruntime_providers_cuda.so")
    return raised(lambda: ort.register_execution_provider_library("broken_cuda", str(provider)))


@produces("cuda-library-missing")
def the_tensorrt_provider_opened_by_the_loader(shop):
    provider = shop.library("gpu-1.31.1").with_name("libonnxruntime_providers_tensorrt.so")
    return raised(lambda: ctypes.CDLL(str(provider)))


@produces("provider-library-missing")
def a_plugin_that_is_not_there(shop):
    return raised(lambda: ort.register_execution_provider_library("absent", "/no/such/libplugin.so"))


@produces("plugin-without-entry-point")
def a_plugin_that_is_none(shop):
    other = str(next(pathlib.Path("/lib").rglob("libm.so.6")))
    return raised(lambda: ort.register_execution_provider_library("mathematics", other))


@produces("provider-was-not-present")
def a_provider_of_another_system(shop):
    return shop.says("plan", shop.models / "mlp.onnx", "--only", "coreml")


@produces("cpu-fallback-disabled")
def cpu_nodes_where_none_may_be(shop):
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    return raised(lambda: ort.InferenceSession(small.identity(), options))


@produces("no-provider-works")
def a_required_provider_that_cannot_work(shop):
    return shop.says("run", shop.models / "mlp.onnx", "--only", "cuda,openvino", "-i", "x=zeros:1x64").splitlines()[0]


@produces("plugin-not-registered")
def a_plugin_library_that_is_not_there(shop):
    return shop.says("providers", "--plugin", "npu=/no/such/lib.so")


# ---- the model's file ----------------------------------------------------------------------------

@produces("model-file-missing")
def a_path_that_leads_nowhere(shop):
    return raised(lambda: ort.InferenceSession("/no/such/model.onnx"))


@produces("model-file-missing")
def a_path_that_leads_nowhere_for_surefoot(shop):
    return shop.says("inspect", "/no/such/model.onnx")


@produces("model-file-missing")
def a_name_that_is_not_there(shop):
    return shop.says("inspect", shop.models / "mlpp.onnx")


for broken in ("lfs_pointer.onnx", "html_page.onnx", "truncated.onnx", "zip_archive.onnx", "folder"):
    on_file("model-not-protobuf", broken)
on_opening("model-not-protobuf", lambda shop: b"garbage garbage")
on_file("model-without-graph", "empty.onnx")
on_file("model-ir-too-new", "ir_99.onnx")
on_file("model-opset-too-new", "opset_99.onnx")
on_file("graph-name-undefined", "dangling_input.onnx")
on_file("graph-name-undefined", "optimizer_bug.onnx")

OURS = {
    "model-is-lfs-pointer": ["lfs_pointer.onnx"],
    "model-is-web-page": ["html_page.onnx"],
    "model-cut-short": ["truncated.onnx"],
    "model-of-another-kind": ["zip_archive.onnx", "safetensors.safetensors", "pickled.pkl", "gguf.gguf", "empty.onnx", "folder"],
    "model-damaged": ["tensor_proto.onnx"],
    "model-ir-too-new": ["ir_99.onnx"],
    "model-opset-too-new": ["opset_99.onnx"],
    "operator-not-registered": ["custom_domain.onnx"],
    "operator-not-in-opset": ["unknown_op.onnx"],
    "operator-without-kernel": ["bf16_add.onnx", "int4_identity.onnx"],
    "type-not-supported": ["complex_identity.onnx"],
    "graph-name-undefined": ["dangling_input.onnx"],
    "external-data-missing": ["external_missing.onnx"],
    "external-data-too-short": ["external_short.onnx"],
    "external-data-outside-folder": ["external_outside/model.onnx"],
    "compiled-for-another-provider": ["ep_context_embedded.onnx"],
}
for entry, names in OURS.items():
    for file in names:
        PRODUCERS.append((entry, lambda shop, name=file: shop.says("run", shop.models / name, "-i", "x=[1,2,3,4]")))


@produces("optimizer-broke-model")
def the_event_of_a_model_that_the_optimizer_breaks(shop):
    said = shop.says("run", shop.models / "optimizer_bug.onnx", "-i", "x=[1,2,3,4]")
    return next(line for line in said.splitlines() if "optimizer" in line)


@produces("model-is-lfs-pointer")
def a_pointer_that_is_pasted(shop):
    return (shop.models / "lfs_pointer.onnx").read_text()


@produces("graph-name-twice")
def one_name_for_two_values(shop):
    twice = [small.helper.make_node(op, ["x"], ["y"]) for op in ("Identity", "Relu")]
    return raised(lambda: ort.InferenceSession(small.model(twice, [value("x", [1])], [value("y", [1])])))


@produces("graph-has-cycle")
def nodes_that_wait_for_each_other(shop):
    circle = [small.helper.make_node("Identity", ["a"], ["b"]), small.helper.make_node("Identity", ["b"], ["a"])]
    return raised(lambda: ort.InferenceSession(small.model(circle, [], [value("b", [1])])))


on_opening("graph-types-differ", lambda shop: small.one("Add", [value("x", [1]), value("z", [1], INT64)], [value("y", [1])]))
on_opening("graph-types-differ", lambda shop: small.one("Relu", [value("x", [2])], [value("y", [2], INT64)]))
on_opening("graph-node-malformed", lambda shop: small.one("Concat", [value("x", [1])], [value("y", [1])]))
on_opening("graph-node-malformed", lambda shop: small.one("Relu", [value("x", [1])], [value("y", [1])], foo=1))
on_opening("graph-node-malformed", lambda shop: small.one("Relu", [value("x", [1]), value("z", [1])], [value("y", [1])]))

@produces("cpu-only-fp16")
def a_half_precision_model(shop):
    return shop.says("check", shop.models / "fp16_matmul.onnx", "--no-runtimes")


# ---- weights -------------------------------------------------------------------------------------

on_file("external-data-missing", "external_missing.onnx")
on_file("external-data-missing", "external_renamed.onnx")
on_file("external-data-too-short", "external_short.onnx")
on_file("external-data-outside-folder", "external_outside/model.onnx")
on_opening("weight-size-wrong", lambda shop: small.raw_weight(3))

# ---- operators -----------------------------------------------------------------------------------

on_file("operator-not-registered", "custom_domain.onnx")
on_file("operator-not-in-opset", "unknown_op.onnx")
on_file("operator-without-kernel", "bf16_add.onnx")
on_file("type-not-supported", "complex_identity.onnx")
on_file("compiled-for-another-provider", "ep_context_embedded.onnx")


@produces("custom-op-library-unusable")
def a_library_without_operators(shop):
    other = str(next(pathlib.Path("/lib").rglob("libm.so.6")))
    return raised(lambda: ort.SessionOptions().register_custom_ops_library(other))


@produces("custom-op-library-unusable")
def a_library_of_operators_that_is_not_there(shop):
    return shop.says("run", shop.models / "mlp.onnx", "--custom-ops", "/no/such/lib.so", "-i", "x=zeros:1x64")


STRINGS = small.TensorProto.STRING
on_opening("locale-missing", lambda shop: small.one(
    "StringNormalizer", [value("x", ["n"], STRINGS)], [value("y", ["m"], STRINGS)], locale="xx_XX", case_change_action="LOWER"))

# ---- inputs and outputs --------------------------------------------------------------------------

on_running("input-wrong-rank", lambda shop: small.identity(), x=ROW[0])
on_running("input-wrong-size", lambda shop: small.identity((1, 4)), x=np.zeros((8, 4), np.float32))
on_running("input-wrong-type", lambda shop: small.identity(), x=ROW.astype(np.float64))


@produces("output-unknown-name")
def an_output_that_is_not_the_models(shop):
    return raised(lambda: ort.InferenceSession(small.identity()).run(["q"], {"x": ROW}))


@produces("output-unknown-name")
def a_bound_output_that_is_not_the_models(shop):
    session = ort.InferenceSession(small.identity())
    binding = session.io_binding()
    binding.bind_cpu_input("x", ROW)
    binding.bind_output("nope")
    return raised(lambda: session.run_with_iobinding(binding))


@produces("output-shape-fixed-by-binding")
def a_bound_output_of_another_shape(shop):
    session = ort.InferenceSession(small.identity())
    binding = session.io_binding()
    binding.bind_ortvalue_output("y", ort.OrtValue.ortvalue_from_numpy(ROW))
    binding.bind_cpu_input("x", np.zeros((3, 4), np.float32))
    return raised(lambda: session.run_with_iobinding(binding))


@produces("device-memory-not-in-build")
def memory_of_a_device_that_is_not_there(shop):
    return raised(lambda: ort.OrtValue.ortvalue_from_numpy(ROW, "cuda", 0))


INPUTS = {
    "input-wrong-rank": "x=zeros:64",
    "input-wrong-size": "x=zeros:3x64",
    "input-unknown-name": "xx=zeros:1x64",
}
for entry, given in INPUTS.items():
    PRODUCERS.append((entry, lambda shop, words=given: shop.says("run", shop.models / "mlp.onnx", "-i", words, "-q")))


@produces("input-wrong-type")
def an_input_of_another_type(shop):
    np.save(shop.folder / "x.npy", np.zeros((1, 64)))
    return shop.says("run", shop.models / "mlp.onnx", "-i", f"x={shop.folder / 'x.npy'}", "-q")


@produces("input-missing")
def an_input_that_is_left_out(shop):
    return shop.says("run", shop.models / "shared_batch.onnx", "-i", "a=zeros:1x4", "-q")


@produces("input-wrong-size")
def inputs_of_two_batches(shop):
    return shop.says("run", shop.models / "shared_batch.onnx", "-i", "a=zeros:1x4", "-i", "b=zeros:3x4", "-q")


@produces("output-unknown-name")
def an_output_asked_of_surefoot(shop):
    return shop.says("run", shop.models / "mlp.onnx", "-i", "x=zeros:1x64", "--outputs", "nope")


GIVEN = {
    "input-needs-shape": ["-i", "x=random"],
    "input-file-not-readable": ["-i", "x=/no/such/file.npy"],
    "name-given-twice": ["-i", "x=zeros:1x64", "-i", "x=ones:1x64"],
    "setting-out-of-range": ["-i", "x=zeros:1x64", "--threads", "99999"],
}
for entry, given in GIVEN.items():
    PRODUCERS.append((entry, lambda shop, words=given: shop.says("run", shop.models / "mlp_batch.onnx", *words, "-q")))


@produces("input-file-not-readable")
def a_file_that_is_not_what_its_name_says(shop):
    (shop.folder / "x.npy").write_text("not an array")
    return shop.says("run", shop.models / "mlp.onnx", "-i", f"x={shop.folder / 'x.npy'}", "-q")


@produces("input-wrong-length")
def an_array_that_was_cut_short(shop):
    np.save(shop.folder / "x.npy", np.zeros((1, 64), np.float32))
    whole = (shop.folder / "x.npy").read_bytes()
    (shop.folder / "x.npy").write_bytes(whole[:-8])
    return shop.says("run", shop.models / "mlp.onnx", "-i", f"x={shop.folder / 'x.npy'}", "-q")


# ---- running -------------------------------------------------------------------------------------

on_running("reshape-size-mismatch", lambda shop: small.one(
    "Reshape", [value("x", ["n"])], [value("y", [2, 3])], [weight("s", np.array([2, 3]))]), x=np.zeros(5, np.float32))
on_running("matmul-size-mismatch", lambda shop: small.one("MatMul", [value("x", ["a", "b"]), value("z", ["c", "d"])], [value("y", None)]),
           x=np.zeros((2, 3), np.float32), z=np.zeros((4, 5), np.float32))
on_running("broadcast-mismatch", lambda shop: small.one("Add", [value("x", ["a"]), value("z", ["c"])], [value("y", None)]),
           x=np.zeros(3, np.float32), z=np.zeros(4, np.float32))
on_running("concat-mismatch", lambda shop: small.one(
    "Concat", [value("x", ["a", "b"]), value("z", ["c", "d"])], [value("y", None)], axis=0),
           x=np.zeros((3, 2), np.float32), z=np.zeros((4, 5), np.float32))
on_running("index-out-of-range", lambda shop: small.one("Gather", [value("x", [5]), value("i", ["k"], INT64)], [value("y", ["k"])]),
           x=np.zeros(5, np.float32), i=np.array([9]))
on_running("conv-channels-mismatch", lambda shop: small.one(
    "Conv", [value("x", [1, "c", 8, 8])], [value("y", None)], [weight("w", np.zeros((4, 3, 3, 3), np.float32))]),
           x=np.zeros((1, 1, 8, 8), np.float32))
on_running("memory-not-allocated", lambda shop: small.one("Expand", [value("x", [1]), value("s", [1], INT64)], [value("y", ["q"])]),
           x=np.zeros(1, np.float32), s=np.array([2**44]))
on_running("node-failed", lambda shop: small.identity(), x=None)


@produces("run-terminated")
def run_options_that_say_stop(shop):
    options = ort.RunOptions()
    options.terminate = True
    return raised(lambda: ort.InferenceSession(small.identity()).run(None, {"x": ROW}, options))


@produces("arena-shrink-impossible")
def an_arena_that_is_switched_off(shop):
    options, run_options = ort.SessionOptions(), ort.RunOptions()
    options.enable_cpu_mem_arena = False
    run_options.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return raised(lambda: ort.InferenceSession(small.identity(), options).run(None, {"x": ROW}, run_options))


@produces("host-memory-exhausted")
def a_machine_that_is_too_small(shop):
    return raised(lambda: np.zeros(2**60, np.float32))


# ---- threads -------------------------------------------------------------------------------------

AFFINITY = """
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 2
options.add_session_config_entry("session.intra_op_thread_affinities", {entry!r})
onnxruntime.InferenceSession({model!r}, options)
"""


@produces("thread-affinity-refused")
def a_processor_that_is_not_there(shop):
    return shop.python(AFFINITY.format(entry="1000", model=str(shop.models / "mlp.onnx")))


@produces("thread-affinity-count")
def affinities_for_more_threads(shop):
    return shop.python(AFFINITY.format(entry="1;2;3", model=str(shop.models / "mlp.onnx")))


# ---- options -------------------------------------------------------------------------------------

OPTIONS = {
    "provider-option-unknown": ["--option", "openvino.devise_type=CPU"],
    "provider-option-value": ["--option", "cuda.device_id=first"],
    "config-key-unknown": ["--config", "session.intra_op.allow_spining=0"],
    "dimension-unknown": ["--dim", "batsh=1"],
    "selection-contradicts-itself": ["--only", "cpu", "--exclude", "cpu"],
    "profile-not-written": ["--profile", "/no/such/folder/p"],
}
for entry, given in OPTIONS.items():
    PRODUCERS.append((entry, lambda shop, words=given: shop.says("run", shop.models / "mlp_batch.onnx", "-i", "x=zeros:1x64", *words)))


@produces("output-file-not-writable")
def an_optimized_model_without_a_folder(shop):
    options = ort.SessionOptions()
    options.optimized_model_filepath = "/no/such/folder/x.onnx"
    return raised(lambda: ort.InferenceSession(small.identity(), options))


@produces("output-file-not-writable")
def a_compiled_model_without_a_folder(shop):
    compiler = ort.ModelCompiler(ort.SessionOptions(), small.identity())
    return raised(lambda: compiler.compile_to_file("/no/such/folder/x.onnx"))
