"""How the test models are put together and written: graph parts, the registry, the manifest."""

import dataclasses
import json
import pathlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
RUNS, FAILS_OPEN, FAILS_RUN, NOT_A_MODEL = "runs", "fails_open", "fails_run", "not_a_model"


@dataclasses.dataclass(frozen=True)
class Entry:
    """One row of the manifest: what is written, and what ORT's CPU provider makes of it."""

    name: str
    about: str
    expect: str
    build: object
    suffix: str = ".onnx"


ENTRIES: list[Entry] = []


def model(about, expect=RUNS, suffix=".onnx"):
    """Registers a function that returns a ModelProto or bytes, or writes the file at the given path."""

    def register(build):
        ENTRIES.append(Entry(build.__name__, about, expect, build, suffix))
        return build

    return register


# ---- parts of a graph -------------------------------------------------------------------------


def tensor(name, shape, element=FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def constant(name, values, dtype=np.float32):
    return numpy_helper.from_array(np.asarray(values, dtype), name)


def weights(name, *shape):
    """Random weights that keep a signal's size; seeded by the name, so each file is the same always."""
    rng = np.random.default_rng(list(name.encode()))
    values = rng.standard_normal(shape, np.float32) / np.sqrt(np.prod(shape[1:]) or 1)
    return numpy_helper.from_array(values.astype(np.float32), name)


def op(kind, inputs, outputs, domain=None, **attributes):
    """A node; inputs and outputs are names separated by blanks, `_` is an omitted one."""
    names = lambda text: ["" if part == "_" else part for part in text.split()]
    return helper.make_node(kind, names(inputs), names(outputs), name=f"{kind}_{outputs.split()[0]}",
                            domain=domain, **attributes)


def build(nodes, inputs, outputs, initializers=(), opset=17, ir=8, domains=(), functions=()):
    """A ModelProto. IR 8 and opset 17 unless told: every ORT from 1.13 on reads them."""
    graph = helper.make_graph(nodes, "tests", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(d, v) for d, v in domains]
    return helper.make_model(graph, opset_imports=opsets, ir_version=ir, functions=list(functions),
                             producer_name="surefoot-tests")


# ---- files ------------------------------------------------------------------------------------


def write(entry, folder):
    """Writes one entry and returns its manifest row."""
    path = folder / f"{entry.name}{entry.suffix}"
    path.parent.mkdir(exist_ok=True)
    takes_path = entry.build.__code__.co_argcount == 1
    made = entry.build(path) if takes_path else entry.build()
    if made is not None:
        path.write_bytes(made if isinstance(made, bytes) else made.SerializeToString(deterministic=True))
    return {"name": entry.name, "file": str(path.relative_to(folder)), "about": entry.about, "expect": entry.expect}


def write_all(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    rows = [write(entry, folder) for entry in ENTRIES]
    (folder / "manifest.json").write_text(json.dumps({"models": rows}, indent=1) + "\n")
    return rows
