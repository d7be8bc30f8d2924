"""Where nodes run, and how long they take."""

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}


@pytest.fixture
def dense(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


def partly(faulty, ops, **more):
    return {"prefer": [faulty], "optimization": "disabled", "provider_options": {faulty: {"ops": ops}}, **more}


def test_a_placement_says_which_node_runs_where(dense, faulty):
    session = surefoot.Session(dense, **partly(faulty, "MatMul,Add"))
    found = session.placement()
    assert str(found) == "faulty 2/3 nodes, cpu 1: Relu" and not found.measured
    assert [(each.provider, each.nodes) for each in found.providers] == [("faulty", 2), ("cpu", 1)]
    assert found.providers[0].share == pytest.approx(2 / 3) and "<td>67%</td>" in found._repr_html_()
    assert {each.op: each.provider for each in found.nodes} == {"MatMul": "faulty", "Add": "faulty", "Relu": "cpu"}


def test_a_measured_placement_has_times_and_partitions(dense, faulty):
    found = surefoot.Session(dense, **partly(faulty, "MatMul,Add")).measure_placement(X)
    assert found.measured and [each.partitions for each in found.providers] == [1, 1]
    assert found.providers[0].time > 0 and sum(each.time_share for each in found.providers) == pytest.approx(1)
    assert "µs" in found._repr_html_()


def test_a_provider_that_takes_too_few_nodes_is_given_up(dense, faulty):
    session = surefoot.Session(dense, **partly(faulty, "Relu", min_placement=0.5))
    assert session.provider == "cpu" and session.events[0].stage == "placement" and not session.events[0].kept
    assert surefoot.Session(dense, **partly(faulty, "MatMul,Add", min_placement=0.5)).provider == faulty
    with pytest.raises(surefoot.InvalidArgument, match="90"):
        surefoot.Session(dense, min_placement=90)


def test_ways_of_running_are_timed_side_by_side(dense, faulty):
    ways = {"faulty": (dense, partly(faulty, "MatMul,Add,Relu")), "cpu": (dense, {"only": ["cpu"]})}
    found = surefoot.bench(ways, X, time=0.1, callers=[2])
    assert [(each.name, each.provider) for each in found] == [("faulty", faulty), ("cpu", "cpu")]
    for each in found:
        latency = each.latency
        assert latency.least <= latency.p50_from <= latency.p50 <= latency.p50_to <= latency.p99 <= latency.most
        assert latency.runs > 10 and each.load > 0 and each.first_run > 0 and each.throughput[2] > 0
    assert "p50" in str(found) and "<td>cpu</td>" in found._repr_html_()


def test_one_path_is_timed_by_its_name_and_nothing_is_an_error(dense):
    assert [each.name for each in surefoot.bench(dense, time=0.01)] == [str(dense)]
    with pytest.raises(surefoot.InvalidArgument, match="nothing to time"):
        surefoot.bench({})
    with pytest.raises(surefoot.InvalidArgument, match="0 callers"):
        surefoot.bench(dense, callers=[0])
    with pytest.raises(surefoot.InvalidArgument, match="-1.0.* s is to be spent"):
        surefoot.bench(dense, time=-1)


def test_a_profile_says_where_the_time_went(dense, tmp_path):
    session = surefoot.Session(dense, profile_prefix=tmp_path / "trace", optimization="disabled")
    for _ in range(3):
        session.infer(X)
    path = session.end_profiling()
    assert session.profiles == [path]
    found = surefoot.read_profile(path, skip_runs=1)
    assert found.runs == 2 and {each.op for each in found.operators} == {"MatMul", "Add", "Relu"}
    assert [each.provider for each in found.providers] == ["cpu"] and found.providers[0].nodes == 3
    assert 0 < found.node_time <= found.run_time and found.share_of_copies == 0 and found.unread_events == 0
    longest = found.longest(2)
    assert len(longest) == 2 and longest[0].total >= longest[1].total and longest[0].calls == 2
    assert "<td>MatMul</td>" in found._repr_html_() and "ProviderTime" in repr(found)
    with pytest.raises(surefoot.NotFound):
        surefoot.read_profile(tmp_path / "none.json")


@pytest.fixture
def apart(faulty, tmp_path, monkeypatch):
    """Verdicts of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return faulty


@pytest.mark.parametrize("fault, outcome", [("", "works"), ("run=abort", "crashed"), ("run=wrong", "wrong numbers"), ("create=fail", "failed")])
def test_whatever_a_provider_does_in_a_probe_is_a_verdict(apart, fault, outcome):
    found = surefoot.probe(apart, options={"fault": fault} if fault else {}, limit=60)
    assert found.outcome == outcome and found.is_harmful == (outcome in ("crashed", "wrong numbers")) and not found.remembered
    assert (found.what == "") == (outcome == "works") and str(found).startswith(f"{apart} {outcome}")
    if found.is_harmful:
        assert surefoot.probe(apart, options={"fault": fault}).remembered


def test_sessions_heed_what_a_probe_found(apart, dense):
    crashing = {"prefer": [apart], "provider_options": {apart: {"fault": "run=abort"}}}
    assert surefoot.Session(dense, **crashing).provider == apart  # nothing is known yet
    session = surefoot.Session(dense, **crashing, probes="probe")
    assert session.provider == "cpu"
    assert surefoot.Session(dense, **crashing).provider == "cpu"
    assert surefoot.Session(dense, **crashing, probes="ignore").provider == apart
    with pytest.raises(surefoot.InvalidArgument, match="use of probes"):
        surefoot.Session(dense, probes="sometimes")


def test_providers_that_are_present_are_probed_on_demand(apart):
    found = {each.name: each for each in surefoot.providers(probe=True)}
    assert found["cpu"].verdict.outcome == found[apart].verdict.outcome == "works"
    assert all(each.present for each in found.values() if each.verdict)
    assert surefoot.providers()[0].verdict is None
