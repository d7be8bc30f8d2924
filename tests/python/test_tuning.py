"""Searching the settings that run a model fastest, and sessions that use what was found."""

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}


@pytest.fixture
def dense(tmp_path, monkeypatch):
    """A model, and records of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


def slow(faulty):
    """The plugin leads, being no provider that is known, and any other one beats it."""
    return {"provider_options": {faulty: {"fault": "run=hang:20"}}}


def test_what_is_tried_is_told_with_its_cost(dense):
    found = surefoot.tune(dense, X, time=0.5, only=["cpu"], save=False)
    assert {each.setting for each in found.trials} | set(found.untried) >= {"spinning", "optimization", "parallel"}
    assert all(each.before > 0 and each.after > 0 for each in found.trials) and 0 < found.after <= found.before
    assert set(found.settings) == {each.setting for each in found.trials if each.kept} and found.record is None
    assert f"{found.after:.1f} µs" in str(found) and "<td>spinning</td>" in found._repr_html_()


def test_what_was_found_is_used_by_sessions_that_prefer_measured(dense, faulty):
    slower = slow(faulty)
    assert surefoot.Session(dense, **slower).provider == faulty
    found = surefoot.tune(dense, X, time=2, intra_op_threads=1, **slower)
    assert found.settings["provider"] == "cpu" and found.after < found.before / 2
    assert found.record.is_file() and found.record.is_relative_to(dense.parent / "cache")
    session = surefoot.Session(dense, prefer=["measured"], **slower)
    assert session.provider == "cpu" and not session.events
    assert surefoot.Session(dense, prefer=["measured", faulty], **slower).provider == faulty  # the caller's word counts


def test_a_record_that_is_not_there_is_told(dense):
    session = surefoot.Session(dense, prefer=["measured"], only=["cpu"])
    assert session.provider == "cpu" and [each.kept for each in session.events] == [True]
    assert "tune" in session.events[0].error.hint


def test_a_record_that_is_damaged_is_removed_and_told(dense):
    record = surefoot.tune(dense, X, time=0.2, only=["cpu"]).record
    record.write_text("{")
    session = surefoot.Session(dense, prefer=["measured"], only=["cpu"])
    assert [each.kept for each in session.events] == [True] and str(record) in str(session.events[0].error) and not record.exists()


def test_what_is_given_is_not_searched(dense):
    given = {"only": ["cpu"], "intra_op_threads": 1, "spinning": False, "optimization": "basic", "parallel": True}
    found = surefoot.tune(dense, X, time=0.2, save=False, **given)
    assert {each.setting for each in found.trials} | set(found.untried) == {"memory_pattern"}


def test_throughput_is_that_of_several_callers(dense):
    found = surefoot.tune(dense, goal="throughput", callers=2, time=0.5, only=["cpu"], save=False)
    assert found.before > 0 and found.trials


def test_what_makes_no_sense_is_an_error(dense):
    with pytest.raises(surefoot.InvalidArgument, match="`latencies` is no goal"):
        surefoot.tune(dense, goal="latencies")
    with pytest.raises(surefoot.InvalidArgument, match="-1.0.* s is to be spent"):
        surefoot.tune(dense, time=-1)
    for callers in (0, -3, 100_000):
        with pytest.raises(surefoot.InvalidArgument, match=f"{callers} callers"):
            surefoot.tune(dense, X, goal="throughput", callers=callers, time=0.1, only=["cpu"], save=False)
    with pytest.raises(TypeError, match="no option `thread`"):
        surefoot.tune(dense, thread=1)
    with pytest.raises(surefoot.NotFound):
        surefoot.tune(dense.parent / "none.onnx")
    with pytest.raises(surefoot.InvalidInput):
        surefoot.tune(dense, {"z": X["x"]}, time=0.1, save=False)
