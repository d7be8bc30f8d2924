"""`surefoot.InferenceSession` beside `onnxruntime.InferenceSession`: the same calls, results and exceptions."""

import pathlib
import pickle
import threading
import warnings

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto
from onnxruntime.capi import onnxruntime_pybind11_state as native

import models
import surefoot
from surefoot.drop_in import session_options

BOTH = pytest.mark.parametrize("package", [onnxruntime, surefoot], ids=["onnxruntime", "surefoot"])
A, B = np.array([1, 2], np.float32), np.array([10, 20], np.float32)
FEED = {"a": A, "b": B}


def quiet():
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return options


# ---- the same calls ------------------------------------------------------------------------------------

LISTED = """run run_with_ort_values run_async io_binding run_with_iobinding get_inputs get_outputs
get_overridable_initializers get_modelmeta get_providers get_provider_options set_providers disable_fallback
enable_fallback end_profiling get_session_options""".split()


@pytest.mark.parametrize("name", LISTED)
def test_the_methods_of_onnxruntimes_class_are_there(name):
    assert callable(getattr(onnxruntime.InferenceSession, name)) and callable(getattr(surefoot.InferenceSession, name))


@BOTH
def test_run_takes_names_or_none(package):
    session = package.InferenceSession(models.add())
    assert [each.tolist() for each in session.run(None, FEED)] == [[11, 22], [-9, -18]]
    assert [each.tolist() for each in session.run([], FEED)] == [[11, 22], [-9, -18]]
    assert [each.tolist() for each in session.run(["difference"], FEED)] == [[-9, -18]]
    assert [each.tolist() for each in session.run(["difference", "sum"], FEED, None)] == [[-9, -18], [11, 22]]


@BOTH
def test_a_model_opens_by_path_and_bytes(package, digits):
    for source in (str(digits), digits, digits.read_bytes()):
        assert package.InferenceSession(source, providers=["CPUExecutionProvider"]).get_inputs()[0].name == "image"


@BOTH
def test_inputs_outputs_and_the_model_describe_themselves(package):
    session = package.InferenceSession(models.identity(TensorProto.FLOAT, ("N", 3, None)))
    given = session.get_inputs()[0]
    assert (given.name, given.type, given.shape) == ("x", "tensor(float)", ["N", 3, None])
    assert str(given) == "NodeArg(name='x', type='tensor(float)', shape=['N', 3, None])"
    assert session.get_overridable_initializers() == []
    assert session.get_providers()[-1] == "CPUExecutionProvider"
    assert session.get_provider_options()["CPUExecutionProvider"] == {}


FACTS = ("custom_metadata_map", "description", "domain", "graph_name", "producer_name", "version")


def test_the_metadata_is_the_same():
    model = models.with_metadata()
    ours, theirs = surefoot.InferenceSession(model).get_modelmeta(), onnxruntime.InferenceSession(model).get_modelmeta()
    assert {name: getattr(ours, name) for name in FACTS} == {name: getattr(theirs, name) for name in FACTS}
    plain = models.add()
    assert surefoot.InferenceSession(plain).get_modelmeta().version == onnxruntime.InferenceSession(plain).get_modelmeta().version


@pytest.mark.parametrize("element", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20])
def test_types_have_onnxruntimes_names(element):
    model = models.identity(element)
    assert surefoot.InferenceSession(model).get_inputs()[0].type == onnxruntime.InferenceSession(model).get_inputs()[0].type


@pytest.mark.parametrize("make", ["sequence_identity", "zip_map", "dict_vectorizer", "optional_or_zero", "overridable"])
def test_other_kinds_have_onnxruntimes_names_too(make):
    model = getattr(models, make)()
    for method in ("get_inputs", "get_outputs", "get_overridable_initializers"):
        ours, theirs = (getattr(package.InferenceSession(model), method)() for package in (surefoot, onnxruntime))
        assert [str(each) for each in ours] == [str(each) for each in theirs]


@BOTH
def test_an_initializer_can_be_overridden(package):
    session = package.InferenceSession(models.overridable())
    assert session.run(None, {"x": A})[0].tolist() == [2, 3]
    assert session.run(None, {"x": A, "w": B[:1]})[0].tolist() == [11, 12]


@BOTH
def test_run_options_name_and_stop_a_run(package):
    session = package.InferenceSession(models.add(), quiet() if package is onnxruntime else None)
    options = package.RunOptions()
    options.logid, options.log_severity_level = "mine", 4
    options.add_run_config_entry("disable_synchronize_execution_providers", "1")
    assert session.run(["sum"], FEED, options)[0].tolist() == [11, 22]
    options.terminate = True
    with pytest.raises(native.Fail):
        session.run(["sum"], FEED, options)
    options.terminate = False
    assert session.run(["sum"], FEED, options)[0].tolist() == [11, 22]


def test_options_of_both_packages_are_taken(tmp_path):
    for package in (onnxruntime, surefoot):
        options = package.SessionOptions()
        options.intra_op_num_threads = 1
        options.graph_optimization_level = package.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.execution_mode = package.ExecutionMode.ORT_PARALLEL
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_profiling, options.profile_file_prefix = True, str(tmp_path / "profile")
        session = surefoot.InferenceSession(models.add(), options)
        session.run(None, FEED)
        assert session._settings["intra_op_threads"] == 1 and session._settings["optimization"] == "basic"
        assert session._settings["config"] == {"raw:session.intra_op.allow_spinning": "0"}
        assert session._settings["parallel"] and pathlib.Path(session.end_profiling()).stat().st_size > 0
        assert session.get_session_options() is options


@BOTH
def test_free_dimensions_are_fixed(package):
    options = package.SessionOptions()
    options.add_free_dimension_override_by_name("N", 2)
    assert package.InferenceSession(models.add(), options).get_inputs()[0].shape == [2]


@BOTH
def test_the_optimized_model_is_written(package, tmp_path):
    options = package.SessionOptions()
    options.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    package.InferenceSession(models.add(), options)
    assert package.InferenceSession(tmp_path / "optimized.onnx").run(["sum"], FEED)[0].tolist() == [11, 22]


def test_what_our_session_cannot_honour_is_refused():
    options = session_options.recording(onnxruntime.SessionOptions)()
    options.add_initializer("w", onnxruntime.OrtValue.ortvalue_from_numpy(B[:1]))
    with pytest.raises(surefoot.Unsupported, match="add_initializer"):
        surefoot.InferenceSession(models.overridable(), options)


@BOTH
def test_no_profile_is_an_empty_name(package):
    assert package.InferenceSession(models.add()).end_profiling() == ""


@BOTH
def test_an_asynchronous_run_calls_back(package):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 2
    session, done, came = package.InferenceSession(models.add(), options), threading.Event(), []

    def callback(results, user_data, error):
        came.append((results, user_data, error))
        done.set()

    session.run_async(["sum"], FEED, callback, "mine")
    assert done.wait(30)
    (results, user_data, error), = came
    assert results[0].tolist() == [11, 22] and user_data == "mine" and error == ""


def test_a_failing_asynchronous_run_says_why():
    done, came = threading.Event(), []
    session = surefoot.InferenceSession(models.add())
    session.run_async(None, {"a": A}, lambda *given: (came.extend(given), done.set()), None)
    assert done.wait(30) and "`b` is missing" in came[2]


@BOTH
def test_values_of_onnxruntime_go_in_and_come_out(package):
    session = package.InferenceSession(models.add())
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(value) for name, value in FEED.items()}
    came = session.run_with_ort_values(["sum"], values)
    assert (came[0].numpy().tolist(), came[0].shape(), came[0].data_type()) == ([11, 22], [2], "tensor(float)")
    assert (came[0].element_type(), came[0].device_name(), came[0].is_tensor()) == (1, "cpu", True)
    assert session.run(["sum"], values)[0].tolist() == [11, 22]


@BOTH
def test_bound_inputs_and_outputs_run_in_place(package):
    session = package.InferenceSession(models.add())
    total = np.zeros(2, np.float32)
    binding = session.io_binding()
    binding.bind_cpu_input("a", A)
    binding.bind_input("b", "cpu", 0, np.float32, [2], B.ctypes.data)
    binding.bind_output("sum", "cpu", 0, np.float32, [2], total.ctypes.data)
    session.run_with_iobinding(binding)
    assert total.tolist() == [11, 22]
    binding.bind_output("difference")
    session.run_with_iobinding(binding)
    assert [each.tolist() for each in binding.copy_outputs_to_cpu()] == [[11, 22], [-9, -18]]
    assert [each.numpy().tolist() for each in binding.get_outputs()] == [[11, 22], [-9, -18]]
    binding.clear_binding_outputs()
    held = onnxruntime.OrtValue.ortvalue_from_shape_and_type([2], np.float32)
    binding.bind_ortvalue_output("sum", held)
    session.run_with_iobinding(binding)
    assert held.numpy().tolist() == [11, 22]


@BOTH
def test_a_binding_belongs_to_its_session(package):
    first, second = (package.InferenceSession(models.add()) for _ in range(2))
    with pytest.raises(ValueError, match="session that created it"):
        second.run_with_iobinding(first.io_binding())


def test_memory_of_another_device_is_refused():
    binding = surefoot.InferenceSession(models.add()).io_binding()
    with pytest.raises(surefoot.Unsupported, match="`cuda`"):
        binding.bind_output("sum", "cuda")


# ---- the same results ----------------------------------------------------------------------------------

LAYOUTS = {
    "plain": np.arange(12, dtype=np.float32), "strided": np.arange(24, dtype=np.float32)[::2],
    "empty": np.zeros(0, np.float32), "read-only": np.frombuffer(bytes(48), np.float32),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_arrays_of_every_layout_give_the_same(name):
    ours, theirs = (package.InferenceSession(models.identity()).run(None, {"x": LAYOUTS[name]}) for package in (surefoot, onnxruntime))
    assert ours[0].tobytes() == theirs[0].tobytes() and ours[0].dtype == theirs[0].dtype and ours[0].shape == theirs[0].shape


KINDS = [
    (models.identity(TensorProto.STRING), "x", np.array(["a", "bé"])),
    (models.identity(TensorProto.STRING), "x", ["a", "b"]),
    (models.identity(), "x", [1.0, 2.0]),
    (models.identity(TensorProto.FLOAT, ()), "x", np.array(3, np.float32)),
    (models.identity(TensorProto.FLOAT16), "x", np.arange(3, dtype=np.float16)),
    (models.sequence_identity(), "x", [A, B]),
    (models.sequence_identity(), "x", []),
    (models.zip_map(), "x", np.ones((2, 2), np.float32)),
    (models.dict_vectorizer(), "x", {"a": 1.0}),
    (models.optional_or_zero(), "x", None),
]


@pytest.mark.parametrize("model, name, value", KINDS)
def test_every_kind_of_value_gives_the_same(model, name, value):
    ours, theirs = (package.InferenceSession(model).run(None, {name: value}) for package in (surefoot, onnxruntime))
    assert repr(ours) == repr(theirs)


def test_a_real_model_gives_the_same_bits(digits):
    images = np.random.default_rng(1).random((16, 1, 8, 8), np.float32)
    ours, theirs = (package.InferenceSession(digits).run(None, {"image": images}) for package in (surefoot, onnxruntime))
    assert ours[0].tobytes() == theirs[0].tobytes()


# ---- the same exceptions -------------------------------------------------------------------------------


def run(feed, names=None):
    return lambda package: package.InferenceSession(models.add(), quiet()).run(names, feed)


WRONG = {
    "no file": lambda package: package.InferenceSession("nowhere.onnx"),
    "no model": lambda package: package.InferenceSession(b"no model"),
    "no bytes": lambda package: package.InferenceSession(b""),
    "no source": lambda package: package.InferenceSession(3),
    "no such operator": lambda package: package.InferenceSession(models.no_such_operator(), quiet()),
    "type": run({"a": A.astype(np.float64), "b": B}),
    "size": run({"a": A, "b": np.zeros(3, np.float32)}),
    "rank": run({"a": A[None], "b": B}),
    "missing": run({"a": A}),
    "unknown input": run({**FEED, "c": A}),
    "unknown output": run(FEED, ["product"]),
    "one name": run(FEED, "sum"),
    "datetime": run({"a": A.astype("M8[s]"), "b": B}),
    "providers as text": lambda package: package.InferenceSession(models.add(), providers={"CPUExecutionProvider"}, enable_fallback=0),
    "providers of numbers": lambda package: package.InferenceSession(models.add(), providers=[3], enable_fallback=0),
    "options too few": lambda package: package.InferenceSession(
        models.add(), providers=["CPUExecutionProvider"], provider_options=[], enable_fallback=0),
}


@pytest.mark.parametrize("case", WRONG)
def test_onnxruntimes_exception_is_ours_too(case):
    with pytest.raises(Exception) as theirs:
        WRONG[case](onnxruntime)
    with pytest.raises(type(theirs.value)):
        WRONG[case](surefoot)


# ---- providers -----------------------------------------------------------------------------------------


def test_a_provider_that_is_not_there_costs_a_warning_not_the_session():
    with pytest.warns(UserWarning, match="'FooExecutionProvider' is not in available provider names"):
        session = surefoot.InferenceSession(models.add(), providers=["FooExecutionProvider", "CPUExecutionProvider"])
    assert session.get_providers() == ["CPUExecutionProvider"]


def test_what_stands_behind_the_cpu_is_never_reached():
    session = surefoot.InferenceSession(models.add(), providers=["CPUExecutionProvider", "CUDAExecutionProvider"])
    assert [each.name for each in session.plan().candidates] == ["cpu"]


def test_known_providers_are_candidates_in_the_order_of_the_list():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        session = surefoot.InferenceSession(
            models.add(), providers=["TensorrtExecutionProvider", ("CUDAExecutionProvider", {"device_id": 0})])
    assert [each.name for each in session.plan().candidates] == ["tensorrt", "cuda", "cpu"]
    assert not session.plan().candidates[0].viable and session.get_providers() == ["CPUExecutionProvider"]


def test_providers_can_be_set_anew(faulty):
    session = surefoot.InferenceSession(models.add())
    session.set_providers([faulty])
    assert session.get_providers()[0] == faulty
    session.set_providers(["CPUExecutionProvider"])
    assert session.get_providers() == ["CPUExecutionProvider"] and session.run(["sum"], FEED)[0].tolist() == [11, 22]


def test_fallback_can_be_switched_off_and_on(faulty):
    listed = [(faulty, {"fault": "run=fail"})]
    session = surefoot.InferenceSession(models.add(), providers=listed)
    session.disable_fallback()
    with pytest.raises(native.Fail):
        session.run(None, FEED)
    session.enable_fallback()
    assert session.run(["sum"], FEED)[0].tolist() == [11, 22] and session.get_providers() == ["CPUExecutionProvider"]
    assert [each.stage for each in session.events()] == ["run"]
    with pytest.raises(native.Fail):
        surefoot.InferenceSession(models.add(), providers=listed, enable_fallback=0).run(None, FEED)


def test_a_pickled_session_opens_again(digits):
    came = pickle.loads(pickle.dumps(surefoot.InferenceSession(str(digits), providers=["CPUExecutionProvider"])))
    assert came.run(None, {"image": np.zeros((1, 1, 8, 8), np.float32)})[0].shape == (1, 10)
    made = pickle.loads(pickle.dumps(surefoot.create_session(digits, prefer=["cpu"], allow_fallback=False)))
    assert made.get_providers() == ["CPUExecutionProvider"]
