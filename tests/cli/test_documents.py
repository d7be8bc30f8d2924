"""What `--json` prints: the members of each document and their kinds, as programs that read them rely on."""

import json
import types

import pytest
from conftest import MODELS, ROOT

DIGITS = ROOT / "models/digits/digits.onnx"
#: What depends on the machine or on measurements: that it is a list, or an object, is all that can be said of it.
OF_THE_MACHINE = {"findings", "gpus", "libraries", "packages", "cpu_features", "runtimes", "passed_over", "devices",
                  "settings", "trials", "untried", "savings"}
QUICK = ("--time", "0.05")
COMMANDS = {
    "bench": ("bench", DIGITS, "--callers", "1", *QUICK),
    "bisect": ("bisect", MODELS / "optimizer_bug.onnx"),
    "check": ("check", MODELS / "opset_99.onnx"),
    "compare": ("compare", DIGITS, DIGITS),
    "diff": ("diff", DIGITS, MODELS / "mlp.onnx"),
    "doctor": ("doctor",),
    "error": ("run", MODELS / "no_such_model.onnx"),
    "explain": ("explain", "cuda-driver-too-old"),
    "inspect": ("inspect", DIGITS),
    "memory": ("memory", MODELS / "conv_any_size.onnx", "--scale", "2", "-t", "1"),
    "nodes": ("nodes", DIGITS),
    "placement": ("placement", DIGITS),
    "plan": ("plan", DIGITS),
    "profile": ("profile", DIGITS, "--runs", "2"),
    "providers": ("providers",),
    "run": ("run", DIGITS, "-i", "image=ones"),
    "runtimes": ("runtimes",),
    "tune": ("tune", DIGITS, "--time", "0.2", "--no-save"),
    "version": ("version",),
    "weights": ("weights", DIGITS),
}


def merged(kinds):
    """One kind for all items of a list: members that only some have are marked with `?`."""
    if not all(isinstance(kind, dict) for kind in kinds):
        plain = sorted({json.dumps(kind) for kind in kinds})
        return json.loads(plain[0]) if len(plain) == 1 else " or ".join(each.strip('"') for each in plain)
    names = dict.fromkeys(name for kind in kinds for name in kind)
    shown = {name: [kind[name] for kind in kinds if name in kind] for name in names}
    return {name + ("?" if len(found) < len(kinds) else ""): merged(found) for name, found in shown.items()}


def kind_of(value, name=""):
    if name in OF_THE_MACHINE:
        return "list" if isinstance(value, list) else "object"
    if isinstance(value, dict):
        return {member: kind_of(each, member) for member, each in value.items()}
    if isinstance(value, list):
        return [merged([kind_of(each) for each in value])] if value else []
    if value is None or isinstance(value, bool):
        return json.dumps(value) if value is None else "truth"
    return "text" if isinstance(value, str) else "number"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_has_its_members(name, surefoot, matches):
    done = surefoot(*COMMANDS[name], "--json")
    text = done.stdout or done.stderr
    kinds = json.dumps(kind_of(json.loads(text)), indent=1, ensure_ascii=False)
    matches(f"json_{name}", types.SimpleNamespace(returncode=done.returncode, stdout=kinds + "\n", stderr=""))
