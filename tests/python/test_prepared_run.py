"""Prepared runs: arrays that ONNX Runtime reads and writes where they lie."""

import asyncio
import gc
import threading
import time

import ml_dtypes
import models
import numpy as np
import pytest
from onnx import TensorProto, helper

import surefoot

A, B = np.array([1, 2], np.float32), np.array([10, 20], np.float32)


def prepared_add(**more):
    return surefoot.Session(models.add(), intra_op_threads=1, **more).prepare(dims={"N": 2})


def counter():
    """`next = state + 1`"""
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
    return models.bytes_of([helper.make_node("Add", ["state", "one"], ["next"])], [models.tensor("state", shape=[2])],
                           [models.tensor("next", shape=[2])], [one])


def nonzero():
    """The places of what is not zero: how many shows only when it runs."""
    return models.bytes_of([helper.make_node("NonZero", ["x"], ["y"])], [models.tensor("x", shape=[4])],
                           [models.tensor("y", TensorProto.INT64, [1, "found"])])


class Exported:
    """What another package's tensor shows of itself."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_inputs_are_written_and_outputs_read_where_they_lie():
    run = prepared_add()
    a, total = run.inputs["a"], run.outputs["sum"]
    assert a.tolist() == [0, 0] and list(run.inputs) == ["a", "b"] and "sum" in run.outputs
    a[:] = A
    run.inputs["b"] = B
    run.run()
    assert total.tolist() == [11, 22] and run.outputs["difference"].tolist() == [-9, -18]
    a += 1
    run.run()
    assert total.tolist() == [12, 23] and run.outputs["sum"] is total and run.inputs["a"] is a


def test_arrays_outlive_the_run_and_its_session():
    run = prepared_add()
    run.inputs["a"], run.inputs["b"] = A, B
    run.run()
    a, total = run.inputs["a"], run.outputs["sum"]
    del run
    gc.collect()
    a[:] = 7
    assert total.tolist() == [11, 22] and a.tolist() == [7, 7]


def test_what_is_assigned_has_exactly_the_inputs_type_and_shape():
    run = prepared_add()
    run.inputs["a"] = [3, 4]
    assert run.inputs["a"].tolist() == [3, 4]
    with pytest.raises(surefoot.InvalidInput, match=r"`a` is float32\[3\], the prepared run wants float32\[2\]"):
        run.inputs["a"] = np.zeros(3, np.float32)
    with pytest.raises(surefoot.InvalidInput, match="is float64"):
        run.inputs["a"] = np.zeros(2)
    with pytest.raises(surefoot.NotFound, match="no input `aa`"):
        run.inputs["aa"] = A
    with pytest.raises(surefoot.NotFound, match="no output `summ`"):
        run.outputs["summ"]


def test_a_size_that_is_not_known_is_named():
    with pytest.raises(surefoot.InvalidArgument, match="N"):
        surefoot.Session(models.add()).prepare()
    run = surefoot.Session(models.add()).prepare(shapes={"a": (5,)}, outputs=["sum"])
    assert run.inputs["b"].shape == (5,) and list(run.outputs) == ["sum"]


def test_arrays_of_the_caller_are_bound_and_kept():
    run = prepared_add()
    a, total = A.copy(), np.zeros(2, np.float32)
    run.bind_input("a", a)
    run.bind_output("sum", total)
    run.inputs["b"] = B
    held = run.inputs["a"]
    a *= 2
    run.run()
    assert total.tolist() == [12, 24] and held is a and run.outputs["sum"] is total
    del a, held, total
    gc.collect()
    run.run()
    assert run.outputs["sum"].tolist() == [12, 24]


def test_an_array_that_cannot_be_used_where_it_lies_is_refused():
    run, read_only = prepared_add(), A.copy()
    read_only.setflags(write=False)
    run.bind_input("a", read_only)
    with pytest.raises(surefoot.InvalidArgument, match="may only be read"):
        run.inputs["a"] = A
    for wrong in (np.zeros(4, np.float32)[::2], A.astype(">f4")):
        with pytest.raises(surefoot.InvalidInput, match="cannot be read in place"):
            run.bind_input("a", wrong)
    with pytest.raises(surefoot.InvalidInput, match="cannot be written in place"):
        run.bind_output("sum", read_only)
    with pytest.raises(surefoot.InvalidInput, match=r"`sum` is float32\[3\]"):
        run.bind_output("sum", np.zeros(3, np.float32))


def test_one_run_reads_where_another_writes():
    first, second = prepared_add(), prepared_add()
    second.bind_input("a", first.outputs["sum"])
    first.inputs["a"], first.inputs["b"], second.inputs["b"] = A, B, B
    first.run()
    second.run()
    assert second.outputs["sum"].tolist() == [21, 42]


def test_memory_goes_both_ways_by_dlpack():
    run, total = prepared_add(), np.zeros(2, np.float32)
    a = A.copy()
    run.bind_input("a", Exported(a))
    run.bind_output("sum", Exported(total))
    run.inputs["b"] = Exported(B)
    run.run()
    a += 1
    run.run()
    assert total.tolist() == [12, 23]
    assert np.shares_memory(np.from_dlpack(run.outputs["difference"]), run.outputs["difference"])
    assert np.asarray(run.outputs["sum"]) is run.outputs["sum"]
    assert surefoot.Session(models.add()).infer({"a": Exported(A), "b": Exported(B)})["sum"].tolist() == [11, 22]


def test_state_is_fed_back_without_a_copy():
    run = surefoot.Session(counter()).prepare(feed_back={"next": "state"})
    run.inputs["state"] = np.array([5, 6], np.float32)
    for _ in range(3):
        run.run()
    assert run.outputs["next"].tolist() == [8, 9]
    held = run.outputs["next"]
    del run
    gc.collect()
    assert held.tolist() == [8, 9]


def test_an_output_of_a_shape_that_only_a_run_tells_is_a_copy():
    run = surefoot.Session(nonzero()).prepare()
    with pytest.raises(surefoot.InvalidState, match="nothing has run"):
        run.outputs["y"]
    run.inputs["x"] = np.array([0, 1, 0, 1], np.float32)
    run.run()
    first = run.outputs["y"]
    run.inputs["x"][:] = 1
    run.run()
    assert first.tolist() == [[1, 3]] and run.outputs["y"].tolist() == [[0, 1, 2, 3]]


def test_a_clone_has_arrays_of_its_own():
    run = prepared_add()
    run.inputs["a"] = A
    other = run.clone()
    assert not np.shares_memory(other.inputs["a"], run.inputs["a"]) and other.inputs["a"].tolist() == [0, 0]

    def work(mine, offset, wrong):
        for i in range(300):
            mine.inputs["a"][:] = offset + i
            mine.run()
            if mine.outputs["sum"][0] != offset + i:
                wrong.append(i)

    wrong = []
    threads = [threading.Thread(target=work, args=(each, 1000 * i, wrong)) for i, each in enumerate([run, other])]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert not wrong


def prepared_endless():
    run = surefoot.Session(models.endless(), intra_op_threads=1).prepare()
    run.inputs["n"] = np.array(2**40)
    return run


def test_a_run_ends_at_its_limit_and_goes_on_afterwards():
    run = prepared_endless()
    with pytest.raises(surefoot.TimedOut):
        run.run(timeout=0.1)
    run.inputs["n"] = np.array(3)
    run.run(30)
    assert run.outputs["y"].tolist() == [3]


def test_a_run_is_cancelled_from_another_thread_and_leaves_python_its_threads():
    run, seen = prepared_endless(), []

    def cancel():
        time.sleep(0.2)
        try:
            run.run()
        except surefoot.InvalidState as error:
            seen.append(error.what)
        run.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(surefoot.Cancelled):
        run.run()
    thread.join()
    assert seen and "under way" in seen[0]


def test_a_provider_that_fails_is_replaced_with_the_same_inputs(faulty):
    run = prepared_add(prefer=[faulty], provider_options={faulty: {"fault": "run:2=fail"}})
    run.inputs["a"], run.inputs["b"] = A, B
    run.run()
    assert run.provider == faulty
    run.run()
    assert run.provider == "cpu" and run.outputs["sum"].tolist() == [11, 22]
    assert [each.stage for each in run.events] == ["run"]


def test_elements_of_less_than_a_byte_are_copied_in_and_out():
    run = surefoot.Session(models.cast(TensorProto.UINT4, TensorProto.FLOAT)).prepare(dims={"N": 3})
    run.inputs["x"] = np.array([1, 2, 15], ml_dtypes.uint4)
    run.run()
    assert run.outputs["y"].tolist() == [1, 2, 15]
    with pytest.raises(surefoot.Unsupported, match="packed"):
        run.inputs["x"]
    run = surefoot.Session(models.cast(TensorProto.FLOAT, TensorProto.UINT4)).prepare(dims={"N": 3})
    run.inputs["x"][:] = [1, 2, 15]
    run.run()
    assert run.outputs["y"].astype(int).tolist() == [1, 2, 15]


def test_a_first_run_can_be_done_beforehand():
    run = surefoot.Session(nonzero()).prepare()
    run.warm_up()
    with pytest.raises(surefoot.InvalidState):
        run.outputs["y"]
    run = prepared_add()
    run.inputs["a"], run.inputs["b"] = A, B
    run.warm_up()
    run.run()
    assert run.outputs["sum"].tolist() == [11, 22]


def test_a_graph_that_cannot_be_captured_is_said_or_is_an_error():
    run = prepared_add()
    assert run.graph == surefoot.GraphState("off", False)
    run = surefoot.Session(models.add(), graph_capture="try").prepare(dims={"N": 2})
    run.run()
    assert run.graph.wanted == "try" and not run.graph.captured and run.graph.reason.what
    with pytest.raises(surefoot.Unsupported, match="captures no graphs"):
        surefoot.Session(models.add(), graph_capture="require")
    with pytest.raises(surefoot.InvalidArgument, match="`maybe` is no graph capture"):
        surefoot.Session(models.add()).prepare(dims={"N": 2}, graph="maybe")


@pytest.fixture
def capturing(monkeypatch, request):
    """The provider with memory of its own, which captures graphs."""
    monkeypatch.setenv("FAULTEP_DEVMEM", "1")
    name = request.getfixturevalue("faulty")
    return {"prefer": [name], "graph_capture": "require", "plugin_graph_option": "graph"}


def test_a_captured_graph_is_replayed_on_new_inputs(capturing):
    session = surefoot.Session(models.dense(), **capturing)
    plain = surefoot.Session(models.dense(), only=["cpu"])
    run, without = session.prepare(dims={"N": 1}), session.prepare(dims={"N": 1}, graph="off")
    run.warm_up()
    assert run.graph == surefoot.GraphState("require", True) and not without.graph.captured
    for i in range(4):
        x = np.array([[i, 2, 3]], np.float32)
        for each in (run, without, run.clone()):
            each.inputs["x"] = x
            each.run()
            assert np.array_equal(each.outputs["y"], plain.infer({"x": x})["y"])


def test_a_run_goes_on_in_a_thread_of_its_own():
    run = prepared_add()
    run.inputs["a"], run.inputs["b"] = A, B
    assert run.run_async().result(60) is None and run.outputs["sum"].tolist() == [11, 22]

    async def await_it():
        await asyncio.wrap_future(run.run_async())
        return run.outputs["sum"].tolist()

    run.inputs["a"][:] = 0
    assert asyncio.run(await_it()) == [10, 20]


def test_a_run_in_a_thread_of_its_own_is_cancelled_and_raises_in_its_future():
    run = prepared_endless()
    future = run.run_async()
    while not future.done():
        run.cancel()
        time.sleep(0.01)
    with pytest.raises(surefoot.Cancelled):
        future.result()


def misnaming():
    """Calls the size of its output by that of its input, and drops what is zero."""
    nodes = [helper.make_node("Greater", ["x", "zero"], ["keep"]), helper.make_node("Compress", ["x", "keep"], ["y"])]
    return models.bytes_of(nodes, [models.tensor("x", shape=["N"])], [models.tensor("y", shape=["N"])],
                           [helper.make_tensor("zero", TensorProto.FLOAT, [], [0.0])])


def test_an_output_whose_size_is_not_the_one_that_its_name_says_is_followed():
    run = surefoot.Session(misnaming()).prepare(dims={"N": 4})
    held = run.outputs["y"]
    for x in ([1, 2, 3, 4], [1, 0, 2, 0], [5, 6, 7, 8], [0, 0, 0, 0]):
        run.inputs["x"] = np.array(x, np.float32)
        run.run()
        if x == [1, 2, 3, 4]:
            assert run.outputs["y"] is held
        if x != [5, 6, 7, 8]:  # a size that fits again is not looked at in between
            assert run.outputs["y"].tolist() == [each for each in x if each]
    run.inputs["x"] = np.array([5, 6, 7, 8], np.float32)
    run.run()
    assert run.outputs["y"].tolist() == [5, 6, 7, 8] and held.tolist() == [1, 2, 3, 4]


def test_an_array_that_the_caller_binds_is_kept_to():
    run, y = surefoot.Session(misnaming()).prepare(dims={"N": 4}), np.zeros(4, np.float32)
    run.bind_output("y", y)
    run.inputs["x"] = np.array([1, 2, 3, 4], np.float32)
    run.run()
    assert y.tolist() == [1, 2, 3, 4]
    run.inputs["x"] = np.array([1, 0, 2, 0], np.float32)
    with pytest.raises(surefoot.RunFailed, match="shape"):
        run.run()


def test_a_prepared_run_shows_itself():
    assert repr(prepared_add()) == "<surefoot.PreparedRun on cpu: a, b -> sum, difference>"
