"""The native interface."""

import logging
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import types

import numpy as np
import onnx
import pytest

import models
import surefoot

A, B = np.array([1, 2], np.float32), np.array([10, 20], np.float32)


def test_a_model_opens_by_path_bytes_proto_and_file(digits):
    for source in (str(digits), digits, digits.read_bytes(), bytearray(digits.read_bytes()), onnx.load(digits)):
        assert surefoot.Session(source).provider == "cpu"
    with open(digits, "rb") as file:
        assert surefoot.Session(file).info.outputs[0].name == "probabilities"
    with pytest.raises(TypeError, match="a model is a path"):
        surefoot.Session(3)


def test_outputs_come_by_name_in_the_models_order_or_as_asked():
    session = surefoot.Session(models.add())
    assert {name: value.tolist() for name, value in session.infer({"b": B, "a": A}).items()} == {
        "sum": [11, 22], "difference": [-9, -18]}
    assert list(session.infer({"a": A, "b": B}, outputs=["difference"])) == ["difference"]
    assert list(session.infer({"a": A, "b": B}, outputs=["difference", "sum"])) == ["difference", "sum"]
    assert list(session.infer(types.MappingProxyType({"a": A, "b": B}))) == ["sum", "difference"]
    with pytest.raises(TypeError, match="names of inputs|mapping|dictionary"):
        session.infer([1, 2])


def test_a_subclass_has_the_last_word():
    class Doubling(surefoot.Session):
        def infer(self, inputs, **more):
            return {name: 2 * value for name, value in super().infer(inputs, **more).items()}

    assert Doubling(models.add()).infer({"a": A, "b": B})["sum"].tolist() == [22, 44]


def test_a_run_writes_into_given_arrays():
    session = surefoot.Session(models.add())
    total = np.zeros(2, np.float32)
    session.infer_into({"a": A, "b": B}, {"sum": total})
    assert total.tolist() == [11, 22]
    for wrong in (np.zeros(4, np.float32)[::2], np.zeros(2, ">f4"), np.broadcast_to(np.float32(0), (2,))):
        with pytest.raises(surefoot.InvalidInput, match="cannot be written in place"):
            session.infer_into({"a": A, "b": B}, {"sum": wrong})
    with pytest.raises(surefoot.InvalidInput, match="model wants float32"):
        session.infer_into({"a": A, "b": B}, {"sum": np.zeros(2)})


def test_all_problems_of_a_call_stand_in_one_error():
    with pytest.raises(surefoot.InvalidInput) as caught:
        surefoot.Session(models.add()).infer({"a": A.astype(int), "bb": B})
    assert all(part in str(caught.value) for part in ("`a` is int64", "`bb`", "`b` is missing"))


def test_names_are_strings():
    with pytest.raises(TypeError, match="names of inputs"):
        surefoot.Session(models.add()).infer({1: A})


def test_an_unknown_option_is_an_error(digits):
    with pytest.raises(TypeError, match="no option `profer`"):
        surefoot.Session(digits, profer=["cuda"])
    with pytest.raises(surefoot.InvalidArgument, match="cuda"):
        surefoot.Session(digits, prefer=["cudda"])


def test_a_closed_session_says_so(digits):
    with surefoot.Session(digits) as session:
        pass
    session.close()
    with pytest.raises(surefoot.InvalidState, match="closed"):
        session.infer({})
    assert "closed" in repr(session) and "closed" in session._repr_html_()


def test_what_is_known_of_a_model_can_be_asked(digits):
    session = surefoot.Session(digits)
    assert str(session.info.inputs[0]) == "image float32[batch,1,8,8]"
    assert session.info.inputs[0].type.shape[1].size == 1
    assert session.plan.viable[-1].name == "cpu" and str(session.plan).splitlines()[-1].startswith("cpu")
    assert session.runtime.version and pathlib.Path(session.runtime.path).is_file()


def test_representations_are_readable(digits):
    session = surefoot.Session(digits)
    assert "digits.onnx` on cpu: image float32" in repr(session)
    assert "<td>cpu</td>" in session._repr_html_() and "<script" not in session._repr_html_()
    assert "present" in surefoot.providers()._repr_html_()


def test_a_pickled_session_opens_again_on_the_other_side(digits):
    session = surefoot.Session(digits, only=["cpu"], intra_op_threads=1)
    came = pickle.loads(pickle.dumps(session))
    image = {"image": np.ones((1, 1, 8, 8), np.float32)}
    assert came.plan == session.plan
    assert np.array_equal(came.infer(image)["probabilities"], session.infer(image)["probabilities"])


def test_a_session_refuses_to_work_after_a_fork():
    session = surefoot.Session(models.add())
    session.infer({"a": A, "b": B})
    child = os.fork()
    if child == 0:
        try:
            session.infer({"a": A, "b": B})
        except surefoot.InvalidState as error:
            os._exit(7 if "fork" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert session.infer({"a": A, "b": B})["sum"].tolist() == [11, 22]


def test_a_run_can_be_stopped_and_leaves_python_its_threads():
    session, stop, ticks = surefoot.Session(models.endless(), intra_op_threads=1), surefoot.StopSource(), []
    threading.Timer(0.2, stop.stop).start()
    counter = threading.Thread(target=lambda: [(ticks.append(1), time.sleep(0.01)) for _ in range(10)])
    counter.start()
    began = time.monotonic()
    with pytest.raises(surefoot.Cancelled):
        session.infer({"n": np.array(2**40), "x": np.zeros(1, np.float32)}, stop=stop)
    assert time.monotonic() - began < 60
    counter.join()
    assert len(ticks) == 10


def test_sessions_are_used_from_many_threads():
    session, wrong = surefoot.Session(models.add(), intra_op_threads=1), []

    def work(offset):
        for i in range(200):
            given = np.full(8, offset * 1000 + i, np.float32)
            if session.infer({"a": given, "b": given})["sum"][0] != 2 * given[0]:
                wrong.append(given[0])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert not wrong


def test_a_provider_that_fails_while_running_is_replaced_and_reported(faulty, caplog):
    seen = []
    session = surefoot.Session(models.add(), prefer=[faulty], provider_options={faulty: {"fault": "run:2=fail"}},
                               on_event=seen.append)
    assert session.infer({"a": A, "b": B})["sum"].tolist() == [11, 22] and session.provider == faulty
    with caplog.at_level(logging.WARNING, "surefoot"):
        assert session.infer({"a": A, "b": B})["sum"].tolist() == [11, 22]
    assert session.provider == "cpu" and [each.stage for each in seen] == ["run"]
    assert isinstance(session.events[0].error, surefoot.Error) and session.events[0].elapsed >= 0
    assert "faulty given up at run" in caplog.text and "faulty" in session._repr_html_()


def test_an_event_says_whether_the_candidate_is_kept(faulty, caplog):
    kept = surefoot.FallbackEvent("webgpu", "placement", surefoot.Unsupported("not known"), 0.1, kept=True)
    assert str(kept) == "webgpu kept at placement: not known"
    session = surefoot.Session(models.add(), prefer=[faulty], provider_options={faulty: {"fault": "create=fail"}})
    assert not session.events[0].kept and "given up" in str(session.events)
    assert "<td>given up</td>" in session.events._repr_html_() and "<td>create</td>" in session._repr_html_()


def test_what_a_callback_raises_does_not_harm_the_run(faulty, monkeypatch):
    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: unraisable.append(raised.exc_type))

    def angry(event):
        raise KeyError(event.candidate)

    session = surefoot.Session(models.add(), prefer=[faulty], provider_options={faulty: {"fault": "create=fail"}},
                               on_event=angry)
    assert session.provider == "cpu" and unraisable == [KeyError]


def test_sessions_share_threads_and_an_arena():
    code = """if 1:
    import sys, numpy, surefoot
    sys.path.insert(0, "tests/python")
    import models
    def threads(): return sum(1 for _ in __import__("pathlib").Path("/proc/self/task").iterdir())
    surefoot.load_runtime(shared_threads=surefoot.SharedThreads(intra_op=3, inter_op=1))
    before = threads()
    sessions = [surefoot.Session(models.add(), shared_threads=True, shared_arena=True) for _ in range(4)]
    a = numpy.ones(2, numpy.float32)
    assert all(each.infer({"a": a, "b": a})["sum"].tolist() == [2, 2] for each in sessions)
    assert threads() == before, (before, threads())
    own = surefoot.Session(models.add(), intra_op_threads=3)
    assert threads() == before + 2, (before, threads())
    try: surefoot.Session(models.add(), shared_threads=True, intra_op_threads=2)
    except surefoot.InvalidArgument: pass
    else: raise SystemExit("threads of its own and shared ones")
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_shared_threads_are_asked_for_at_the_first_load():
    code = """if 1:
    import sys, surefoot
    sys.path.insert(0, "tests/python")
    import models
    surefoot.load_runtime()
    for late in (lambda: surefoot.Session(models.add(), shared_threads=True),
                 lambda: surefoot.load_runtime(shared_threads=surefoot.SharedThreads(intra_op=2))):
        try: print(late())
        except surefoot.InvalidState as error: print(error.hint)
    """
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert said == ["load the runtime with `shared_threads`", "ask for them where this process loads ONNX Runtime first"]


MANY = """if 1:
    import os, sys, numpy, surefoot
    sys.path.insert(0, "tests/python")
    import models
    def resident(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    def tenths(count, work):
        for _ in range(10):
            for _ in range(count // 10): work()
            print(resident())
"""


def memory_after_each_tenth(code, **environment):
    done = subprocess.run([sys.executable, "-c", MANY + code], capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return [int(line) for line in done.stdout.split()]


def test_memory_is_flat_over_a_million_runs():
    after = memory_after_each_tenth("""
    session, given = surefoot.Session(models.add(), intra_op_threads=1), numpy.zeros(1000, numpy.float32)
    feed = {"a": given, "b": given}
    tenths(1_000_000, lambda: session.infer(feed))
    """)
    assert after[-1] - after[0] < 2**20, f"more than a byte a run: {after}"


def test_memory_is_flat_over_ten_thousand_sessions_with_failing_candidates(faulty):
    """Each falls back to the CPU; every tenth time there is none to fall back to."""
    after = memory_after_each_tenth("""
    surefoot.load_runtime().register_plugin("faulty", os.environ["SUREFOOT_TEST_FAULT_EP"])
    model, failing = models.add(), {"faulty": {"fault": "create=fail"}}
    made = []
    def work():
        made.append(surefoot.Session(model, intra_op_threads=1, prefer=["faulty"], provider_options=failing).provider)
        assert made[-1] == "cpu"
        if len(made) < 10: return
        made.clear()
        try: surefoot.Session(model, intra_op_threads=1, only=["faulty"], provider_options=failing)
        except surefoot.ProviderFailed: return
        raise SystemExit("a provider that fails was opened")
    tenths(10_000, work)
    """)
    assert after[-1] - after[1] < 2**19, f"more than 64 bytes a session: {after}"
