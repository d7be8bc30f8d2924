"""Models that are open for editing."""

import gc
import os
import pickle
import threading

import ml_dtypes
import models
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import surefoot

X = np.array([[1, 2]], np.float32)
W = np.array([[1, 0], [0, 1]], np.float32)


@pytest.fixture
def path(tmp_path):
    """`y = LeakyRelu(x W)`, W the identity."""
    nodes = [helper.make_node("MatMul", ["x", "W"], ["h"], name="product"),
             helper.make_node("LeakyRelu", ["h"], ["y"], name="bend", alpha=0.5)]
    made = models.model(nodes, [models.tensor("x", shape=["N", 2])], [models.tensor("y", shape=["N", 2])],
                        [numpy_helper.from_array(W, "W")])
    onnx.save(made, tmp_path / "model.onnx")
    return tmp_path / "model.onnx"


def test_weights_are_a_mapping_of_arrays_that_may_only_be_read(path):
    weights = surefoot.Model(path).weights
    assert list(weights) == ["W"] and len(weights) == 1 and "W" in weights and "V" not in weights
    assert np.array_equal(weights["W"], W) and not weights["W"].flags.writeable
    assert weights.info("W") == surefoot.WeightInfo("W", "float32", (2, 2), 16, "raw") == weights.infos()[0]
    assert weights.get("V") is None
    with pytest.raises(KeyError, match="^.*no weight `w`"):
        weights["w"]


def test_an_array_outlives_its_model_and_keeps_what_it_showed(path):
    model = surefoot.Model(path)
    before = model.weights["W"]
    model.weights["W"] = W * 3
    after = model.weights["W"]
    model.weights["W"] = W * 4
    del model
    gc.collect()
    assert before[0, 0] == 1 and after[0, 0] == 3


def test_an_axis_is_fixed_by_its_denotation(path, tmp_path):
    made = onnx.load(path)
    made.graph.input[0].type.tensor_type.shape.dim[0].denotation = "DATA_BATCH"
    onnx.save(made, tmp_path / "named.onnx")
    model = surefoot.Model(tmp_path / "named.onnx")
    model.fix_denotation("DATA_BATCH", 1)
    assert str(model.inputs[0].type) == "float32[1,2]"
    with pytest.raises(surefoot.Error, match="DATA_CHANNEL"):
        model.fix_denotation("DATA_CHANNEL", 1)


def test_a_weight_is_set_replaced_reset_renamed_inserted_and_taken_out(path):
    model = surefoot.Model(path)
    model.weights["W"] = W.T[::-1]
    assert model.is_edited and model.weights.info("W").storage == "edited"
    with pytest.raises(surefoot.InvalidArgument, match=r"float32\[2,2\]"):
        model.weights["W"] = np.zeros(3, np.float32)
    model.weights.replace("W", np.zeros((2, 5), np.float16))
    assert model.weights["W"].shape == (2, 5)
    model.weights.reset("W")
    assert not model.is_edited
    model.weights["spare"] = np.array([1, 2], ml_dtypes.bfloat16)
    model.weights.rename("spare", "more")
    assert model.weights["more"].dtype == ml_dtypes.bfloat16
    del model.weights["more"]
    with pytest.raises(surefoot.InvalidArgument, match="product"):
        del model.weights["W"]
    assert list(model.weights) == ["W"]


@pytest.fixture
def nested(tmp_path):
    """An If whose branches have a weight and nodes of their own, beside weights that are packed and sparse."""
    sparse = helper.make_sparse_tensor(helper.make_tensor("sparse", TensorProto.FLOAT, [2], [1.5, 2.5]),
                                       helper.make_tensor("places", TensorProto.INT64, [2], [0, 4]), [6])
    then = helper.make_graph([helper.make_node("Add", ["x", "inner"], ["t"], name="add")], "then", [],
                             [models.tensor("t", shape=[2])], [numpy_helper.from_array(np.ones(2, np.float32), "inner")])
    other = helper.make_graph([helper.make_node("Neg", ["x"], ["e"], name="turn")], "else", [], [models.tensor("e", shape=[2])])
    graph = helper.make_graph([helper.make_node("If", ["c"], ["y"], name="choose", then_branch=then, else_branch=other)], "nested",
                              [models.tensor("x", shape=["n"]), helper.make_tensor_value_info("c", TensorProto.BOOL, [])],
                              [models.tensor("y", shape=["n"])], [helper.make_tensor("packed", TensorProto.INT4, [3], [1, -2, 7])],
                              sparse_initializer=[sparse])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), tmp_path / "nested.onnx")
    return tmp_path / "nested.onnx"


def test_packed_sparse_and_inner_weights_are_read_and_set(nested, tmp_path):
    model = surefoot.Model(nested)
    assert {name: value.tolist() for name, value in model.weights.items()} == {
        "choose>then_branch>inner": [1, 1], "packed": [1, -2, 7], "sparse": [1.5, 0, 0, 0, 2.5, 0]}
    assert model.weights["packed"].dtype == ml_dtypes.int4
    assert {each.name: each.storage for each in model.weights.infos()}["sparse"] == "sparse"
    model.weights["packed"] = np.array([3, -3, 3], ml_dtypes.int4)
    model.weights["sparse"] = np.arange(6, dtype=np.float32)
    model.weights["choose>then_branch>inner"] = np.full(2, 5, np.float32)
    model.save(tmp_path / "out.onnx")
    onnx.checker.check_model(str(tmp_path / "out.onnx"), full_check=True)
    saved = surefoot.Model(tmp_path / "out.onnx").weights
    assert saved["packed"].tolist() == [3, -3, 3] and saved["sparse"].tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(KeyError, match="choose>then_branch>inner"):
        saved["choose>then_branch>iner"]


def test_nodes_and_weights_inside_branches_take_part_in_sessions(nested):
    model = surefoot.Model(nested, auto_create=True)
    assert set(model.nodes) == {"choose", "choose>then_branch>add", "choose>else_branch>turn"}
    turn = model.nodes["choose>else_branch>turn"]
    turn.op = "Abs"
    model.nodes["choose>else_branch>turn"] = turn
    model.weights["choose>then_branch>inner"] = np.full(2, 5, np.float32)
    x = np.array([-1, 2], np.float32)
    assert model.infer({"x": x, "c": np.array(True)})["y"].tolist() == [4, 7]
    assert model.infer({"x": x, "c": np.array(False)})["y"].tolist() == [1, 2]


def test_a_session_is_of_the_model_as_it_is_when_it_is_created(path):
    model = surefoot.Model(path)
    model.create_session()
    model.weights["W"] = W * 2
    assert model.infer({"x": X})["y"].tolist() == [[1, 2]]
    model.create_session()
    assert model.infer({"x": X})["y"].tolist() == [[2, 4]]
    model.create_session()
    assert [each.kind for each in model.session_events] == ["created", "replaced"]
    assert "weight" in model.session_events[1].reason


def test_calling_without_a_session_says_what_to_do(path):
    model = surefoot.Model(path)
    with pytest.raises(surefoot.SessionNotCreated, match="create_session") as caught:
        model.infer({"x": X})
    assert isinstance(caught.value, RuntimeError) and isinstance(caught.value, surefoot.InvalidState)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), surefoot.SessionNotCreated)
    model.create_session()
    with model:
        assert model.has_session
    with pytest.raises(surefoot.SessionNotCreated, match="released"):
        model.session()
    assert surefoot.Model(path, auto_create=True).infer({"x": X})["y"].tolist() == [[1, 2]]


def test_why_a_session_could_not_be_created_is_kept(path):
    model = surefoot.Model(path)
    with pytest.raises(surefoot.Error):
        model.create_session(only=["cuda"])
    with pytest.raises(surefoot.SessionNotCreated, match="built without CUDA"):
        model.infer({"x": X})
    model.create_session(only=["cpu"], dims={"N": 1})
    assert model.session().info.inputs[0].type.shape[0].size == 1


def test_a_patch_holds_for_its_block(path):
    model = surefoot.Model(path)
    delta = surefoot.LowRankDelta(np.ones((2, 1), np.float32), np.ones((1, 2), np.float32), 0.5)
    with model.patch({"W": W * 2}) as outer:
        with model.patch({"W": delta}):
            assert model.weights["W"].tolist() == [[2.5, 0.5], [0.5, 2.5]]
            model.create_session()
        assert outer.is_active and model.infer({"x": X})["y"].tolist() == [[3.5, 5.5]]
    assert np.array_equal(model.weights["W"], W) and not model.is_edited and not outer.is_active
    outer.release()
    with pytest.raises(surefoot.NotFound, match="no weight `V`"):
        model.patch({"W": W * 2, "V": W})
    assert not model.is_edited


def test_a_patch_that_is_forgotten_ends(path):
    model = surefoot.Model(path)
    patch = model.patch({"W": W * 2})
    assert model.weights["W"][0, 0] == 2 and "in force" in repr(patch)
    del patch
    gc.collect()
    assert model.weights["W"][0, 0] == 1


def test_nodes_are_edited_by_name(path):
    model = surefoot.Model(path)
    bend = model.nodes["bend"]
    assert (bend.op, bend.inputs, bend.outputs) == ("LeakyRelu", ["h"], ["y"]) and bend.attributes == {"alpha": 0.5}
    bend.attributes["alpha"] = 2  # a whole number stays the float that it was
    model.nodes["bend"] = bend
    added = model.nodes.insert(surefoot.Node("Neg", ["x"], ["minus"], name="turn"))
    model.add_output("minus")
    model.create_session()
    given = model.infer({"x": -X})
    assert given["y"].tolist() == [[-2, -4]] and given["minus"].tolist() == [[1, 2]] and added == "turn"
    model.remove_output("minus")
    del model.nodes["turn"]
    model.nodes.rename("bend", "bow")
    assert list(model.nodes) == ["product", "bow"] and model.check() == []
    del model.nodes["product"]
    assert "`h`" in model.check()[0].what


def test_attributes_of_every_kind_go_out_and_in(tmp_path):
    constants = {"value_ints": [1, 2], "value_floats": [1.0, 2.5], "value_strings": ["a", "b"], "value_int": 3,
                 "value_float": 1.5, "value_string": "text", "value": numpy_helper.from_array(W)}
    nodes = [helper.make_node("Constant", [], [name], name=name, **{name: value}) for name, value in constants.items()]
    onnx.save(models.model(nodes, [], [models.tensor("value", shape=[2, 2])]), tmp_path / "model.onnx")
    model = surefoot.Model(tmp_path / "model.onnx")
    for name, value in constants.items():
        node = model.nodes[name]
        if name == "value":
            assert np.array_equal(node.attributes[name], W)
            node.attributes[name] = node.attributes[name] + 1
        else:
            assert node.attributes == {name: value}
        model.nodes[name] = node
    model.save(tmp_path / "out.onnx")
    for node in onnx.load(tmp_path / "out.onnx").graph.node:
        value = helper.get_attribute_value(node.attribute[0])
        if node.name == "value":
            assert np.array_equal(numpy_helper.to_array(value), W + 1)
        else:
            assert node.attribute[0] == helper.make_attribute(node.name, constants[node.name])


def test_a_graph_attribute_survives_as_it_is(tmp_path):
    (tmp_path / "model.onnx").write_bytes(models.endless())
    model = surefoot.Model(tmp_path / "model.onnx")
    name = next(each for each in model.nodes if ">" not in each)
    node = model.nodes[name]
    assert node.attributes["body"].kind == "graph"
    node.doc_string = "counts"
    model.nodes[name] = node
    model.create_session()
    assert model.infer({"n": np.array(3), "x": np.zeros(1, np.float32)})["y"].tolist() == [3]


def test_the_interface_is_edited(path):
    model = surefoot.Model(path)
    model.rename("x", "image")
    model.set_axis("image", 0, "batch")
    assert str(model.inputs[0]) == "image float32[batch,2]"
    model.fix(batch=4)
    assert str(model.inputs[0]) == "image float32[4,2]" and str(model.outputs[0]).startswith("y float32[")
    with pytest.raises(surefoot.NotFound, match="height"):
        model.fix(height=3)


@pytest.mark.parametrize("placement", ["keep", "inside", "external"])
def test_what_is_saved_opens_elsewhere(path, tmp_path, placement):
    model = surefoot.Model(path)
    model.weights["W"] = W * 7
    model.save(tmp_path / "out.onnx", placement=placement, external_from_bytes=1)
    assert numpy_helper.to_array(onnx.load(tmp_path / "out.onnx").graph.initializer[0])[1, 1] == 7
    assert (tmp_path / "out.onnx.data").exists() == (placement == "external")
    with pytest.raises(surefoot.InvalidArgument, match="`kep` is no placement"):
        model.save(tmp_path / "out.onnx", placement="kep")


def test_a_downloaded_model_is_found(path, tmp_path):
    assert surefoot.Model.from_pretrained(tmp_path).path == path
    snapshot = tmp_path / "hub/models--org--name/snapshots/abc"
    snapshot.mkdir(parents=True)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs/main").write_text("abc")
    (snapshot / "model.onnx").write_bytes(path.read_bytes())
    model = surefoot.Model.from_pretrained("org/name", cache_folder=tmp_path / "hub", auto_create=True)
    assert model.infer({"x": X})["y"].tolist() == [[1, 2]]
    with pytest.raises(surefoot.NotFound, match="other"):
        surefoot.Model.from_pretrained("org/other", cache_folder=tmp_path / "hub")


def test_a_pickled_model_is_opened_again(path):
    model = surefoot.Model(path, auto_create=True, intra_op_threads=1)
    came = pickle.loads(pickle.dumps(model))
    assert came.infer({"x": X})["y"].tolist() == [[1, 2]]
    with pytest.raises(surefoot.InvalidState, match="pickle the model"):
        pickle.dumps(came.session())
    came.weights["W"] = W * 2
    with pytest.raises(surefoot.InvalidState, match="edits are not pickled"):
        pickle.dumps(came)


def test_a_pickled_copy_says_that_the_session_did_not_come_along(path):
    model = surefoot.Model(path)
    with pytest.raises(surefoot.SessionNotCreated, match="none was created yet"):
        pickle.loads(pickle.dumps(model)).infer({"x": X})
    model.create_session()
    came = pickle.loads(pickle.dumps(model))
    for copy in (came, pickle.loads(pickle.dumps(came))):
        with pytest.raises(surefoot.SessionNotCreated, match="before pickling did not come along"):
            copy.infer({"x": X})
    came.create_session()
    assert came.infer({"x": X})["y"].tolist() == [[1, 2]]


def in_child(work):
    """The exit status of a forked child that does this."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(work())
        except BaseException:
            os._exit(99)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_session_does_not_come_along_through_a_fork(path):
    model = surefoot.Model(path)
    model.create_session()

    def work():
        try:
            model.infer({"x": X})
        except surefoot.SessionNotCreated as error:
            return 7 if "child process" in error.hint else 8
        return 9

    assert in_child(work) == 7
    assert model.infer({"x": X})["y"].tolist() == [[1, 2]]


def test_a_model_is_used_from_several_threads(path):
    model, wrong = surefoot.Model(path, auto_create=True, intra_op_threads=1), []

    def work(number):
        for i in range(50):
            with model.patch({"W": W * (number + i)}):
                model.weights["W"].sum()
            if model.infer({"x": X})["y"].tolist() != [[1, 2]]:
                wrong.append(i)

    model.create_session()
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert not wrong and not model.is_edited


def test_models_show_themselves(path):
    model = surefoot.Model(path)
    assert f"`{path}`, without a session: x float32[N,2] -> y float32[N,2]" in repr(model)
    assert "<td>W</td>" in model.weights._repr_html_() and "1 of 16 bytes" in repr(model.weights)
    model.create_session()
    assert "with a session" in repr(model) and f"`{path}` on cpu" in repr(model.session())


def test_text_weights_are_arrays_of_text(tmp_path):
    words = helper.make_tensor("words", TensorProto.STRING, [2], [b"one", b"two"])
    nodes = [helper.make_node("Identity", ["words"], ["y"])]
    onnx.save(models.model(nodes, [], [models.tensor("y", TensorProto.STRING, [2])], [words]), tmp_path / "model.onnx")
    model = surefoot.Model(tmp_path / "model.onnx", auto_create=True)
    assert model.weights["words"].tolist() == ["one", "two"]
    model.weights["words"] = np.array(["drei", "vier"])
    assert model.infer({})["y"].tolist() == ["drei", "vier"]


def test_a_pipelines_model_is_called_by_keyword_and_moved_by_name(path, tmp_path):
    unet = surefoot.OnnxRuntimeModel.from_pretrained(tmp_path, provider="CPUExecutionProvider")
    with pytest.raises(RuntimeError, match="create_session"):
        unet(x=X)
    with pytest.raises(surefoot.SessionNotCreated):
        unet.model
    unet.create_session(dims={"N": 1})
    assert unet(x=X)[0].tolist() == [[1, 2]] and unet.model.get_inputs()[0].type == "tensor(float)"
    unet.tensors["W"] = W * 2
    unet.create_session()
    assert unet.model.run(["y"], {"x": X})[0].tolist() == [[2, 4]] and "bend" in unet.nodes
    assert unet.to("cpu") is unet and unet(x=X)[0].tolist() == [[2, 4]]
    unet.release_session()
    with pytest.raises(surefoot.SessionNotCreated, match="released"):
        unet(x=X)
    unet.save_pretrained(tmp_path / "other")
    other = surefoot.OnnxRuntimeModel.from_pretrained(tmp_path / "other", auto_create=True)
    assert other(x=X)[0].tolist() == [[2, 4]]


def test_where_a_pipelines_model_runs_is_said_by_devices(path, faulty):
    unet = surefoot.OnnxRuntimeModel(path)
    unet.to("faulty:0")
    assert unet._settings["prefer"] == ["faulty"] and unet._settings["provider_options"] == {"faulty": {"device_id": "0"}}
    unet.to(faulty).create_session()
    assert unet.session().provider == faulty
    unet.to("CPUExecutionProvider")
    assert unet.session().provider == "cpu" and unet(x=X)[0].tolist() == [[1, 2]]
