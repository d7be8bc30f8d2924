"""Each kind of edit, beside the same edit made with the onnx package: onnx's checker passes, and ONNX Runtime answers alike."""

import functools
import pathlib
import shutil

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import packages
import surefoot_command
from edited import DIGITS, edit, inputs_of, ones
from onnx_edits import EDITS, SAME_ANSWERS, NotHere

MODELS = {
    "digits": lambda: DIGITS,
    "rec": lambda: packages.folder("rapidocr") / "models/PP-OCRv6_rec_small.onnx",
    "features": lambda: packages.folder("onnx-asr") / "preprocessors/data/nemo80_conv.onnx",
}
PACKAGES = ["rapidocr", "silero-vad", "magika", "onnx-asr"]
ONNX_DATA = pathlib.Path(onnx.__file__).parent / "backend/test/data"
STRIDE = 12  # ONNX's own models come in steps of it, since neighbours are alike
MOST = 25  # models that one kind of edit is made on


def answers(path, inputs):
    session = surefoot_command.reference_session(path)
    return session.run(None, dict(zip([each.name for each in session.get_inputs()], inputs)))


def is_complete(path):
    try:
        onnx.checker.check_model(str(path), full_check=True)
    except Exception:  # of the checker or of shape inference, which share no class
        return False
    return True


def edited_both_ways(kind, path, tmp_path):
    """The files that ours and the onnx package make of an edit."""
    reference = onnx.load(path)
    make, words = EDITS[kind](reference, path, tmp_path)
    before = tmp_path / "before.onnx"
    ours = make(before if before.exists() else path, tmp_path / "ours.onnx", *words)
    onnx.save(reference, tmp_path / "theirs.onnx")
    return ours, tmp_path / "theirs.onnx"


def assert_same_graph(kind, ours, theirs):
    if kind == "add_output":  # onnx and ONNX Runtime infer symbols of their own
        return
    done = surefoot_command.surefoot("diff", ours, theirs)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def assert_same_answers(got, wanted):
    assert len(got) == len(wanted)
    for mine, theirs in zip(got, wanted):
        if isinstance(theirs, (list, dict)):
            assert str(mine) == str(theirs)
            continue
        mine, theirs = np.asarray(mine), np.asarray(theirs)
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_is_what_the_onnx_package_makes_of_it(kind, name, tmp_path):
    path = MODELS[name]()
    try:
        ours, theirs = edited_both_ways(kind, path, tmp_path)
    except NotHere:
        pytest.skip("the model has nothing to make this edit with")
    onnx.checker.check_model(str(ours), full_check=True)
    assert_same_graph(kind, ours, theirs)
    inputs = list(ones(ours).values())
    got = answers(ours, inputs)
    assert_same_answers(got, answers(theirs, inputs))
    first = answers(path, inputs)
    # A free axis keeps ONNX Runtime from some fusions, which round otherwise.
    same = all(mine.shape == old.shape and np.allclose(mine, old, 1e-4, 1e-6, equal_nan=True)
               for mine, old in zip(got, first))
    assert same == (kind in SAME_ANSWERS), "whether the edit changes what the model answers"
    if kind == "to_float16":
        for mine, old in zip(got, first):
            np.testing.assert_allclose(mine, old, rtol=0.05, atol=0.05)


def stored_inputs(folder):
    """The arrays that come with one of ONNX's models; None where one is no tensor."""
    graph = onnx.load(folder / "model.onnx").graph
    files = sorted((folder / "test_data_set_0").glob("input_*.pb"), key=lambda file: int(file.stem[6:]))
    if not all(value.type.HasField("tensor_type") for value in graph.input):
        return None
    return [numpy_helper.to_array(onnx.load_tensor(file)) for file in files]


@functools.cache
def runnable(path, inputs_from):
    """The inputs of a model that onnx's checker and ONNX Runtime take; None of one that they do not."""
    try:
        inputs = inputs_from()
        answers(path, inputs)
    except Exception:  # whatever the tools say of a model that they do not know
        return None
    return inputs if is_complete(path) else None


def package_models(kind):
    """All; of those that prepare sound, which are alike, a quarter: another one for each kind of edit."""
    for package in PACKAGES:
        paths = packages.models(package)
        step, first = (4, list(EDITS).index(kind) % 4) if len(paths) > 20 else (1, 0)
        for path in paths[first::step]:
            yield path, functools.partial(inputs_of, path)


def onnx_models(kind):
    """All, another one first for each kind of edit."""
    folders = sorted(path.parent for path in ONNX_DATA.rglob("model.onnx"))
    first = list(EDITS).index(kind)
    for step in range(STRIDE):
        for folder in folders[(first + step) % STRIDE::STRIDE]:
            yield folder / "model.onnx", functools.partial(stored_inputs, folder)


def offers(kind, path, folder):
    """Whether the model has something to make the edit with."""
    try:
        EDITS[kind](onnx.load(path), path, folder)
    except NotHere:
        return False
    return True


def problem_of(kind, path, inputs, folder):
    """What is wrong with our edit of one model, None where nothing is. NotHere: ONNX Runtime refuses the onnx package's too."""
    ours, theirs = edited_both_ways(kind, path, folder)
    try:
        wanted = answers(theirs, inputs)
    except Exception as refused:
        raise NotHere from refused
    try:
        assert is_complete(ours) or not is_complete(theirs), "onnx's checker refuses it"
        assert_same_graph(kind, ours, theirs)
        assert_same_answers(answers(ours, inputs), wanted)
    except Exception as wrong:
        return f"{path}: {type(wrong).__name__}: {wrong}"
    return None


# How many models have something to make the edit with, at least: of ONNX's own few have large weights, and those with
# names of axes hold sequences, whose inputs are no arrays.
FEWEST = {package_models: 3, onnx_models: 15}
RARE = {(onnx_models, "fix_dimension"): 0, (onnx_models, "to_external"): 1, (onnx_models, "to_float16"): 0}


@pytest.mark.parametrize("models", FEWEST)
@pytest.mark.parametrize("kind", EDITS)
def test_edits_are_the_onnx_packages_on_every_model_that_has_what_they_need(kind, models, tmp_path):
    problems = []
    for path, inputs_from in models(kind):
        folder = tmp_path / str(len(problems))
        folder.mkdir(exist_ok=True)
        if not offers(kind, path, folder) or (inputs := runnable(path, inputs_from)) is None:
            continue
        try:
            problems.append(problem_of(kind, path, inputs, folder))
        except NotHere:
            continue
        shutil.rmtree(folder)
        if len(problems) == MOST and models is onnx_models:
            break
    assert [each for each in problems if each] == []
    assert len(problems) >= RARE.get((models, kind), FEWEST[models])
