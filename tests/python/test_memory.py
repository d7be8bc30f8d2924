"""What a model costs in memory."""

import models
import numpy as np
import pytest
from onnx import TensorProto, helper

import surefoot

COUNT = 2_000_000
GIVEN = {"only": ["cpu"], "intra_op_threads": 1}


@pytest.fixture(scope="module")
def heavy(tmp_path_factory):
    """`y = x + w`, whose weight is 8 MB."""
    path = tmp_path_factory.mktemp("memory") / "heavy.onnx"
    weight = helper.make_tensor("w", TensorProto.FLOAT, [COUNT], np.ones(COUNT, np.float32).tobytes(), raw=True)
    path.write_bytes(models.bytes_of([helper.make_node("Add", ["x", "w"], ["y"])], [models.tensor("x", shape=["N", 1])],
                                     [models.tensor("y", shape=["N", COUNT])], [weight]))
    return path


@pytest.fixture(scope="module")
def measured(heavy):
    return surefoot.measure_memory(heavy, {"x": np.zeros((4, 1), np.float32)}, {"x": np.zeros((1, 1), np.float32)}, **GIVEN)


def test_weights_and_the_arena_are_counted(measured):
    assert measured.weight_bytes == 4 * COUNT and measured.provider == "cpu" and measured.file_bytes > 4 * COUNT
    assert measured.use.opening >= measured.use.opened > 2 * COUNT
    assert measured.use.largest > measured.use.opened + 8 * COUNT  # the arena keeps the outputs' memory


def test_each_setting_is_tried_and_what_saves_is_told(measured):
    tried = {each.name: each for each in measured.policies}
    assert tried["no arena"].library == "SessionOptions::cpu_arena = false" and tried["no arena"].command_line == "--no-arena"
    assert tried["no arena"].gains and tried["no arena"].saved.largest > 8 * COUNT and tried["no arena"].error is None
    assert any(each.cache_form for each in measured.policies if each.error is None)


def test_it_shows_itself(measured):
    assert "opening" in str(measured) and str(measured).count("\n") == len(measured.policies)
    assert "<td>no arena</td>" in measured._repr_html_() and " MB</td>" in measured._repr_html_()
    assert "MemoryUse(opening=" in repr(measured)


def test_what_is_given_is_not_tried(heavy):
    found = surefoot.measure_memory(heavy, {"x": np.zeros((1, 1), np.float32)}, cpu_arena=False, **GIVEN)
    assert "no arena" not in {each.name for each in found.policies}
    with pytest.raises(surefoot.InvalidInput):
        surefoot.measure_memory(heavy, {"z": np.zeros((1, 1), np.float32)}, **GIVEN)


def test_what_makes_no_sense_is_an_error(heavy, tmp_path):
    for scale in (0, -1, 2**62):
        with pytest.raises(surefoot.InvalidArgument, match=f"{scale} times longer"):
            surefoot.measure_memory(heavy, scale=scale, **GIVEN)
    with pytest.raises(surefoot.NotFound):
        surefoot.measure_memory(tmp_path / "none.onnx")
    with pytest.raises(TypeError, match="no option `areena`"):
        surefoot.measure_memory(heavy, areena=False)


def test_made_up_inputs_of_the_largest_run_are_so_many_times_longer(heavy):
    assert surefoot.sample_inputs(heavy, scale=6)["x"].shape == (6, 1)
    found = surefoot.measure_memory(heavy, scale=6, **GIVEN)
    assert found.use.largest > found.use.opened + 16 * COUNT
