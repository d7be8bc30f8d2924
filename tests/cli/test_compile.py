"""surefoot compile: what it writes and prints, what it refuses, and that nothing ever leaves a part of it behind."""

import json
import os
import pty
import resource
import shutil
import signal
import stat
import subprocess
import threading

import numpy as np
import onnx
import pytest

from conftest import BINARY, MODELS, ROOT

DIGITS = ROOT / "models/digits/digits.onnx"
FAULT_EP = BINARY.parents[1] / "lib/libsurefoot_fault_ep.so"
STEPS = ["opening the source", "running the source", "compiling", "opening what was compiled",
         "comparing the outputs", "putting it in place"]


def compile_cpu(surefoot, out, *flags, **keywords):
    return surefoot("compile", DIGITS, "-o", out, "--for", "cpu", *flags, **keywords)


def report_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("flag", [["--verify"], ["--min-placement", "0.5"]])
def test_what_guards_a_session_means_nothing_here(surefoot, tmp_path, flag):
    done = compile_cpu(surefoot, tmp_path / "out.onnx", *flag)
    assert done.returncode == 2
    assert f"`{flag[0]}` means nothing here" in done.stderr
    assert not (tmp_path / "out.onnx").exists()


def test_what_was_compiled_runs_and_is_told(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    done = compile_cpu(surefoot, out)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == str(out)
    assert done.stderr.splitlines() == STEPS
    assert "made by   cpu, onnxruntime 1.32.0" in done.stdout
    assert surefoot("run", out, "--input", "image=ones:1x1x8x8", "--only", "cpu").returncode == 0


def test_the_report_as_json(surefoot, tmp_path):
    report = report_of(compile_cpu(surefoot, tmp_path / "out.ort", "--json", "--quiet"))
    assert report["schema"] == "surefoot.compile/1"
    assert (report["form"], report["provider"], report["onnxruntime"]) == ("ort", "cpu", "1.32.0")
    assert report["files"] == [str(tmp_path / "out.ort")]
    assert report["compiled_bytes"] == (tmp_path / "out.ort").stat().st_size
    assert report["source_bytes"] == DIGITS.stat().st_size
    assert min(report["compile_ms"], report["load_before_ms"], report["load_after_ms"]) > 0
    assert report["validation"]["made_up_inputs"] and report["validation"]["outputs"] == 1


def test_given_inputs_are_compared_on(surefoot, tmp_path):
    report = report_of(compile_cpu(surefoot, tmp_path / "out.onnx", "--json", "-i", "image=random:3x1x8x8"))
    assert not report["validation"]["made_up_inputs"]


def test_weights_go_where_they_are_asked_to(surefoot, tmp_path):
    compiled = report_of(compile_cpu(surefoot, tmp_path / "a.onnx", "--json", "--external-weights"))
    assert [os.path.basename(file) for file in compiled["files"]] == ["a.onnx", "a.onnx.data"]
    done = surefoot("compile", tmp_path / "a.onnx", "-o", tmp_path / "b.onnx", "--for", "cpu", "--json",
                    "--internal-weights")
    assert report_of(done)["files"] == [str(tmp_path / "b.onnx")]
    assert compile_cpu(surefoot, tmp_path / "c.onnx", "--external-weights", "--internal-weights").returncode == 2


def test_nothing_is_replaced(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    out.write_text("mine")
    done = compile_cpu(surefoot, out)
    assert done.returncode == 2 and "exists already" in done.stderr
    assert out.read_text() == "mine"


@pytest.mark.parametrize("words, text", [
    (["-o", "x.onnx"], "`--for` is missing"),
    (["--for", "cpu"], "`--output` is missing"),
    (["-o", "x.onnx", "--for", "cppu"], "did you mean `cpu`"),
    (["-o", "none/x.onnx", "--for", "cpu"], "make the folder first"),
    (["-o", "x.onnx", "--for", "cuda"], "was built without CUDA"),
    (["-o", "x.onnx", "--for", "cpu", "--tolerance", "much"], "a number is wanted"),
    (["-o", "x.onnx", "--for", "cpu", "-i", "imgae=ones"], "did you mean `image`"),
])
def test_what_cannot_be_done_is_refused_and_leaves_nothing(surefoot, tmp_path, words, text):
    folder = tmp_path / "work"
    folder.mkdir()
    done = surefoot("compile", DIGITS, *words, cwd=folder)
    assert done.returncode == 2 and text in done.stderr, done.stderr
    assert list(folder.iterdir()) == []


def test_the_mode_follows_the_mask(surefoot, tmp_path):
    before = os.umask(0o027)
    try:
        report_of(compile_cpu(surefoot, tmp_path / "out.onnx", "--json"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "out.onnx").stat().st_mode) == 0o640


def test_a_terminal_shows_one_line_that_is_wiped_out(surefoot, tmp_path):
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, "compile", DIGITS, "-o", tmp_path / "out.onnx", "--for", "cpu"],
                               env=surefoot.environment, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:
            break
        if not part:
            break
        text += part
    assert process.wait() == 0
    assert b"\ncompiling" not in text and b"compiling ..." in text and text.endswith(b"\r\x1b[K")


# ---- killed, or out of space --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large_model(tmp_path_factory):
    """Weights enough for each step to take some milliseconds."""
    file = tmp_path_factory.mktemp("large") / "large.onnx"
    weights = np.random.default_rng(1).standard_normal((1024, 1024), np.float32) / 32
    nodes = [onnx.helper.make_node("MatMul", [f"v{i}", "w"], [f"v{i + 1}"]) for i in range(2)]
    value = lambda name: onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 1024])
    graph = onnx.helper.make_graph(nodes, "large", [value("v0")], [value("v2")],
                                   [onnx.numpy_helper.from_array(weights, "w")])
    onnx.save(onnx.helper.make_model(graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17)]), file)
    return file


def killed_after(surefoot, model, out, step, delay):
    """Kills the command `delay` seconds after it has told that `step` begins; whether it had ended before."""
    process = subprocess.Popen(
        [BINARY, "compile", model, "-o", out, "--for", "cpu", "--external-weights"], env=surefoot.environment,
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for line in process.stderr:
        if line.strip() == step:
            break
    timer = threading.Timer(delay, process.kill)
    timer.start()
    status = process.wait()
    timer.cancel()
    process.stderr.close()
    return status == 0


def assert_whole_or_absent(surefoot, out, ended):
    assert out.exists() or not ended
    if out.exists():  # killed while it cleaned up
        assert surefoot("run", out, "--input", "v0=ones", "--only", "cpu", "--quiet").returncode == 0
        for file in (out, out.with_name("out.onnx.data")):
            file.unlink()


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_it_leaves_no_part_of_the_destination(surefoot, large_model, tmp_path, step):
    folder = tmp_path / "work"
    folder.mkdir()
    out = folder / "out.onnx"
    for delay in (0, 0.002, 0.005, 0.015, 0.04):
        ended = killed_after(surefoot, large_model, out, step, delay)
        assert_whole_or_absent(surefoot, out, ended)
    report_of(surefoot("compile", large_model, "-o", out, "--for", "cpu", "--external-weights", "--json"))
    assert sorted(file.name for file in folder.iterdir()) == ["out.onnx", "out.onnx.data"]


def without_signal(limit):
    """Writing beyond the limit is an error then, not the end of the process."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


@pytest.mark.parametrize("limit", [0, 4096, 1 << 20, 3 << 20])
@pytest.mark.parametrize("weights", ["--external-weights", "--internal-weights"])
def test_a_file_that_may_not_grow_is_an_error_and_leaves_nothing(surefoot, large_model, tmp_path, limit, weights):
    folder = tmp_path / "work"
    folder.mkdir()
    done = subprocess.run(
        [BINARY, "compile", large_model, "-o", folder / "out.onnx", "--for", "cpu", weights],
        env=surefoot.environment, capture_output=True, text=True, preexec_fn=lambda: without_signal(limit))
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "error:" in done.stderr
    assert list(folder.iterdir()) == []


def namespaces_work():
    probe = ["unshare", "--user", "--map-root-user", "--mount", "true"]
    return shutil.which("unshare") is not None and subprocess.run(probe, capture_output=True).returncode == 0


@pytest.mark.parametrize("kilobytes", [16, 2000, 4000])
@pytest.mark.parametrize("weights", ["--external-weights", "--internal-weights"])
def test_a_full_disk_is_an_error_and_leaves_nothing(surefoot, large_model, tmp_path, kilobytes, weights):
    if not namespaces_work():
        pytest.skip("no file system of its own can be mounted here: `unshare --user --mount` is refused")
    script = (f'mount -t tmpfs -o size={kilobytes}k none "$1" && cd "$1" && '
              f'"$2" compile "$3" -o out.onnx --for cpu {weights}; status=$?; ls -A "$1" >&2; exit $status')
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", tmp_path, BINARY, large_model],
        env=surefoot.environment, capture_output=True, text=True)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "error:" in done.stderr and "out.onnx" not in done.stderr.splitlines()
    assert not any(line.endswith(".part") for line in done.stderr.splitlines())


def test_a_provider_that_takes_the_process_with_it_leaves_no_part_of_the_destination(surefoot, tmp_path):
    if not FAULT_EP.exists():
        pytest.skip("the fault-injecting provider was not built: no ORT headers")
    folder = tmp_path / "work"
    folder.mkdir()
    words = ["compile", DIGITS, "-o", folder / "out.onnx", "--for", "faulty", "--plugin", f"faulty={FAULT_EP}", "--json"]
    for plan in ("compile=segv", "compile=abort", "run=segv", "create=exit", "release=segv"):
        died = surefoot(*words, FAULTEP=plan)
        assert died.returncode not in (0, 2), died.stderr
        assert not [file for file in folder.iterdir() if not file.name.endswith(".part")]
    written = report_of(surefoot(*words))["files"]
    assert sorted(map(str, folder.iterdir())) == sorted(written)


@pytest.mark.parametrize("runtime", ["cpu-1.27.0", "node-1.30.0", "cpu-1.31.1"])
def test_parts_of_a_plugin_are_kept_by_each_runtime(surefoot, tmp_path, runtime):
    if not FAULT_EP.exists():
        pytest.skip("the fault-injecting provider was not built: no ORT headers")
    plugin = ["--plugin", f"faulty={FAULT_EP}"]
    out = tmp_path / "out.onnx"
    report = report_of(surefoot("compile", DIGITS, "-o", out, "--for", "faulty", "--json", *plugin, runtime=runtime))
    assert report["compiled_parts"] >= 1 and report["onnxruntime"] in runtime
    done = surefoot("run", out, "--only", "faulty", "--input", "image=ones:1x1x8x8", *plugin, runtime=runtime)
    assert done.returncode == 0, done.stderr


def test_a_runtime_without_the_compile_api_is_named(surefoot, tmp_path):
    done = surefoot("compile", DIGITS, "-o", tmp_path / "out.onnx", "--for", "cpu", "--form", "ep-context",
                    runtime="cpu-1.20.1")
    assert done.returncode == 2 and "1.20.1 has no `GetCompileApi`" in done.stderr
    assert not list(tmp_path.glob("*out.onnx*"))


# ---- larger than any single protobuf --------------------------------------------------------------------


def test_a_model_beyond_two_gigabytes_keeps_its_weights_beside_it(surefoot, tmp_path):
    model = MODELS / "sparse_2200mb_external.onnx"
    if shutil.disk_usage(tmp_path).free < 8 << 30:
        pytest.skip("needs 8 GB of free space")
    report = report_of(surefoot("compile", model, "-o", tmp_path / "out.onnx", "--for", "cpu", "--json"))
    assert report["compiled_bytes"] > 2 << 30 and len(report["files"]) == 2
    (tmp_path / "out.onnx.data").unlink()
