"""Models that this or any ORT must refuse, and files that are no models at all."""

import io
import pickle
import struct
import zipfile

import onnx
from onnx import TensorProto, helper

from tensors import fixed_batch, mlp
from writing import FAILS_OPEN, NOT_A_MODEL, build, model, op, tensor


@model("IR version 99", FAILS_OPEN)
def ir_99():
    made = mlp()
    made.ir_version = 99
    return made


@model("default opset 99", FAILS_OPEN)
def opset_99():
    made = mlp()
    made.opset_import[0].version = 99
    return made


@model("two ops of domains that nobody registered", FAILS_OPEN)
def custom_domain():
    nodes = [op("FancyNorm", "x", "h", domain="com.acme"), op("Swirl", "h", "y", domain="org.example.ops")]
    return build(nodes, [tensor("x", ["n", 4])], [tensor("y", ["n", 4])],
                 domains=[("com.acme", 1), ("org.example.ops", 2)])


@model("an op that the default domain has never had", FAILS_OPEN)
def unknown_op():
    return build([op("Reluu", "x", "y")], [tensor("x", ["n"])], [tensor("y", ["n"])])


@model("a graph whose node reads a name that nothing makes", FAILS_OPEN)
def dangling_input():
    return build([op("Add", "x nothing", "y")], [tensor("x", ["n"])], [tensor("y", ["n"])])


def ep_context(**attributes):
    node = op("EPContext", "x", "y", domain="com.microsoft", main_context=1, ep_sdk_version="10.9.0", **attributes)
    return build([node], [tensor("x", [1, 4])], [tensor("y", [1, 4])], domains=[("com.microsoft", 1)])


@model("a compiled model of TensorRT, its engine embedded", FAILS_OPEN)
def ep_context_embedded():
    return ep_context(source="TensorrtExecutionProvider", embed_mode=1, ep_cache_context=b"\x00engine\xff" * 64)


@model("a compiled model of QNN whose engine file is not there", FAILS_OPEN)
def ep_context_missing_file():
    return ep_context(source="QNNExecutionProvider", embed_mode=0, ep_cache_context="lost_engine.bin")


# ---- external data ----------------------------------------------------------------------------


def external(made, *locations):
    """Moves each initializer's bytes to a file: the n-th to the n-th location, the rest to the last."""
    blobs = {}
    for index, initializer in enumerate(made.graph.initializer):
        location = locations[min(index, len(locations) - 1)]
        blob = blobs.setdefault(location, bytearray())
        blob.extend(b"\0" * (-len(blob) % 64))
        entries = {"location": location, "offset": len(blob), "length": len(initializer.raw_data)}
        blob.extend(initializer.raw_data)
        initializer.ClearField("raw_data")
        initializer.data_location = TensorProto.EXTERNAL
        initializer.external_data.extend(
            onnx.StringStringEntryProto(key=k, value=str(v)) for k, v in entries.items())
    return made, {name: bytes(blob) for name, blob in blobs.items()}


def write_blobs(path, blobs):
    for name, blob in blobs.items():
        (path.parent / name).write_bytes(blob)


@model("weights in one file beside the model")
def external_one(path):
    made, blobs = external(mlp(), "external_one.data")
    write_blobs(path, blobs)
    return made


@model("weights in two files, one in a folder of its own")
def external_two(path):
    (path.parent / "external_two").mkdir(exist_ok=True)
    made, blobs = external(mlp(), "external_two_a.data", "external_two/b.data")
    write_blobs(path, blobs)
    return made


@model("weights in a file that is not there", FAILS_OPEN)
def external_missing():
    return external(mlp(), "external_missing_a.data", "external_missing_b.data")[0]


@model("weights in a file that was renamed: one of exactly that size lies beside it", FAILS_OPEN)
def external_renamed(path):
    made, blobs = external(mlp(), "weights.data")
    write_blobs(path, {"external_renamed.data": blobs["weights.data"]})
    return made


@model("weights in a file that ends too early", FAILS_OPEN)
def external_short(path):
    made, blobs = external(mlp(), "external_short.data")
    write_blobs(path, {name: blob[:100] for name, blob in blobs.items()})
    return made


@model("weights outside the model's folder: ORT 1.20 opens it", FAILS_OPEN, "/model.onnx")
def external_outside(path):
    made, blobs = external(fixed_batch(), "../external_outside.data")
    write_blobs(path, blobs)
    return made


# ---- what people hand over by mistake ----------------------------------------------------------


@model("a Git LFS pointer", NOT_A_MODEL)
def lfs_pointer():
    return (b"version https://git-lfs.github.com/spec/v1\n"
            b"oid sha256:4cac19622fc3ada9c0fdeadb33f88f367b541f38b89102a3f1261ac81fd5bcb5\nsize 123456789\n")


@model("a web page", NOT_A_MODEL)
def html_page():
    return b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>Not Found</body></html>\n"


@model("an error as JSON", NOT_A_MODEL)
def json_error():
    return b'{"error": "Repository not found", "status": 404}\n'


@model("a file of no bytes", NOT_A_MODEL)
def empty():
    return b""


@model("the first half of a model", NOT_A_MODEL)
def truncated():
    whole = mlp().SerializeToString(deterministic=True)
    return whole[: len(whole) // 2]


@model("a zip archive", NOT_A_MODEL)
def zip_archive():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("model.onnx"), mlp().SerializeToString(deterministic=True))
    return buffer.getvalue()


@model("a safetensors file", NOT_A_MODEL, ".safetensors")
def safetensors():
    header = b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
    return struct.pack("<Q", len(header)) + header + b"\0\0\x80\x3f"


@model("a pickle", NOT_A_MODEL, ".pkl")
def pickled():
    return pickle.dumps({"w": [1.0, 2.0]}, protocol=4)


@model("a GGUF file", NOT_A_MODEL, ".gguf")
def gguf():
    return b"GGUF" + struct.pack("<IQQ", 3, 0, 0)


@model("a protobuf of another kind: a tensor, not a model", NOT_A_MODEL)
def tensor_proto():
    return helper.make_tensor("w", TensorProto.FLOAT, [2], [1.0, 2.0]).SerializeToString()


@model("a folder", NOT_A_MODEL, "")
def folder(path):
    path.mkdir(exist_ok=True)
