"""Models that matter for their size; the largest are sparse files that cost no disk."""

from onnx import TensorProto

from writing import FLOAT, INT64, build, model, op, tensor, weights

SIDE = 1024  # one layer holds 4 MiB


def layers(count, width=SIDE):
    """A chain of square layers: large to open, simple to run."""
    names = ["x"] + [f"h{i}" for i in range(1, count)] + ["y"]
    nodes = [op("MatMul", f"{names[i]} w{i}", names[i + 1]) for i in range(count)]
    shape = ["batch", width]
    parameters = [weights(f"w{i}", width, width) for i in range(count)]
    return build(nodes, [tensor("x", shape)], [tensor("y", shape)], parameters)


@model("2 MB of weights")
def size_2mb():
    return layers(2, 512)


@model("20 MB of weights")
def size_20mb():
    return layers(5)


@model("54 MB of weights")
def size_54mb():
    return layers(13)


@model("64 MiB of weights")
def size_64mb():
    return layers(16)


# ---- sparse files ------------------------------------------------------------------------------


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def block(field, length):
    """The key and the length that stand before a block of bytes in a protobuf message."""
    return varint(field << 3 | 2) + varint(length)


def table(rows):
    """Gather from a table of `rows` rows of 256 floats, which is described but not filled."""
    made = build([op("Gather", "table ids", "y")], [tensor("ids", ["n"], INT64)], [tensor("y", ["n", 256])])
    described = TensorProto(name="table", data_type=FLOAT, dims=[rows, 256])
    return made, described


@model("1.9 GB of zero weights inside the file: a reader that skips payloads needs milliseconds")
def sparse_1900mb(path):
    payload = 1_900_000_000 // 1024 * 1024
    made, described = table(payload // 1024)
    graph = made.graph.SerializeToString(deterministic=True)
    made.ClearField("graph")
    head = described.SerializeToString(deterministic=True) + block(9, payload)  # TensorProto.raw_data
    initializer = block(5, len(head) + payload) + head  # GraphProto.initializer
    graph_bytes = len(graph) + len(initializer) + payload
    start = made.SerializeToString(deterministic=True) + block(7, graph_bytes) + graph + initializer  # ModelProto.graph
    with open(path, "wb") as file:
        file.write(start)
        file.truncate(len(start) + payload)


@model("2.2 GB of zero weights in a file beside the model")
def sparse_2200mb_external(path):
    payload = 2_200_000_000 // 1024 * 1024
    made, described = table(payload // 1024)
    described.data_location = TensorProto.EXTERNAL
    for key, value in (("location", f"{path.stem}.data"), ("offset", 0), ("length", payload)):
        described.external_data.add(key=key, value=str(value))
    made.graph.initializer.append(described)
    with open(path.with_suffix(".data"), "wb") as file:
        file.truncate(payload)
    return made
