"""placement, profile, probes, compare, bench, memory, tune and bisect: what they print, and that a faulty provider shows in each."""

import csv
import io
import json
import pathlib

import pytest
from conftest import BINARY, MODELS, ROOT, library

DIGITS = ROOT / "models/digits/digits.onnx"
MLP = MODELS / "mlp.onnx"
SEVEN = f"image={ROOT / 'examples/digits/7.png'}"
FAULT_EP = BINARY.parents[1] / "lib/libsurefoot_fault_ep.so"
PLUGIN = ("--plugin", f"faulty={FAULT_EP}")


@pytest.fixture
def faulty():
    """The flags that bring the fault-injecting provider."""
    if not FAULT_EP.exists():
        pytest.skip("the fault-injecting provider is not built: there are no official headers here")
    return PLUGIN


def test_placement_is_a_table_by_operator(surefoot, matches):
    matches("placement", surefoot("placement", DIGITS))


def test_placement_out_of_the_report_has_no_times(surefoot):
    document = json.loads(surefoot("placement", DIGITS, "--no-run", "--json").stdout)
    assert document["schema"] == "surefoot.placement/1"
    assert document["summary"] == "cpu 8/8 nodes"
    assert not document["measured"]
    assert len(document["nodes"]) == 8


def test_placement_names_what_stays_on_the_cpu(surefoot, faulty):
    document = json.loads(surefoot("placement", DIGITS, "--json", *faulty).stdout)
    assert document["summary"].startswith("faulty 3/8 nodes, cpu 5: ")
    assert document["measured"]
    assert [row["name"] for row in document["providers"]] == ["faulty", "cpu"]
    assert sum(row["nodes"] for row in document["providers"]) == 8
    assert document["providers"][0]["partitions"] >= 1


def test_placement_says_where_the_log_gives_no_reason(surefoot, faulty):
    said = surefoot("placement", DIGITS, *faulty).stdout
    assert "not on faulty\n" in said
    assert "ONNX Runtime's log does not say" in said


def test_run_says_the_placement_in_one_line(surefoot, faulty):
    done = surefoot("run", DIGITS, "-i", SEVEN, *faulty)
    assert "\nfaulty 3/8 nodes, cpu 5: " in done.stderr


def test_a_provider_that_takes_too_few_nodes_is_dropped_with_the_reason(surefoot, faulty):
    done = surefoot("run", DIGITS, "-i", SEVEN, "--json", "--min-placement", "0.9", *faulty)
    document = json.loads(done.stdout)
    assert document["provider"] == "cpu"
    (event,) = document["events"]
    assert (event["candidate"], event["stage"]) == ("faulty", "placement")
    assert "90 % at least are wanted: faulty 3/8 nodes" in event["error"]["what"]


def test_a_part_beyond_one_is_refused(surefoot):
    done = surefoot("run", DIGITS, "--min-placement", "90")
    assert done.returncode == 2
    assert "0.9 for nine nodes in ten" in done.stderr


def test_profile_sorts_operators_by_time(surefoot, tmp_path):
    trace = tmp_path / "trace.json"
    document = json.loads(surefoot("profile", DIGITS, "--runs", 3, "--json", "--trace", trace).stdout)
    assert document["schema"] == "surefoot.profile/1"
    assert document["runs"] == 3
    times = [row["total_us"] for row in document["operators"]]
    assert times == sorted(times, reverse=True)
    assert sum(times) == document["node_us"] <= document["run_us"]
    assert all(row["calls"] % 3 == 0 for row in document["operators"])
    assert any(event.get("cat") == "Node" for event in json.loads(trace.read_text()))


@pytest.mark.parametrize("runtime", ["cpu-1.20.1", "cpu-1.23.2", "cpu-1.27.0"])
def test_profiles_of_older_runtimes_are_read(surefoot, runtime):
    document = json.loads(surefoot("profile", DIGITS, "--json", runtime=runtime).stdout)
    assert document["runs"] == 10
    assert {row["provider"] for row in document["operators"]} == {"cpu"}
    assert document["unread_events"] == 0


@pytest.mark.parametrize("command", ["placement", "profile", "bench", "memory", "tune", "bisect"])
def test_a_model_that_refuses_made_up_inputs_is_to_be_given_real_ones(surefoot, command):
    done = surefoot(command, MODELS / "hard_coded_reshape.onnx", "--dim", "batch=2", "--optimization", "disabled")
    assert done.returncode == 2
    assert "requested shape:{1,6}" in done.stderr
    assert "hint: the inputs were made up" in done.stderr


def test_profile_in_words(surefoot):
    done = surefoot("profile", DIGITS, "--top", 1)
    assert done.returncode == 0
    assert done.stdout.startswith("10 runs of ")
    assert " cpu         Conv\n" in done.stdout


def test_a_provider_that_crashes_at_registration_is_a_row_of_the_table(surefoot, faulty):
    done = surefoot("providers", *faulty, FAULTEP="factories=segv")
    assert done.returncode == 0
    assert "faulty       no     yes      no      no\n  crashed with signal 11 (SIGSEGV) in `" in done.stdout
    assert "while registering" in done.stdout


@pytest.mark.parametrize(
    ("plan", "outcome"),
    [
        ("run=abort", "crashed"),
        ("run=exit", "exited"),
        ("run=wrong", "wrong numbers"),
        ("run=fail", "failed"),
        ("run=hang:60000", "hung"),
        ("", "works"),
    ],
)
def test_every_end_of_a_probe_is_a_verdict(surefoot, faulty, plan, outcome):
    document = json.loads(surefoot("providers", "--json", "--limit", 3, *faulty, FAULTEP=plan).stdout)
    (row,) = [row for row in document["providers"] if row["name"] == "faulty"]
    assert row["probe"]["outcome"] == outcome
    assert row["usable"] is (outcome == "works")


def test_verdicts_are_remembered_and_heeded_until_asked_afresh(surefoot, faulty):
    def probe(*flags, **variables):
        rows = json.loads(surefoot("providers", "--json", *flags, *faulty, **variables).stdout)["providers"]
        return next(row["probe"] for row in rows if row["name"] == "faulty")

    assert not probe(FAULTEP="run=segv")["remembered"]
    assert probe()["remembered"]
    done = surefoot("run", DIGITS, "-i", SEVEN, *faulty)
    assert done.returncode == 0
    assert "faulty rejected: when it was probed, `faulty` crashed with signal 11" in " ".join(done.stderr.split())
    fresh = probe("--fresh")
    assert (fresh["outcome"], fresh["remembered"]) == ("works", False)
    assert "faulty chosen" in " ".join(surefoot("run", DIGITS, "-i", SEVEN, *faulty).stderr.split())


def test_verify_drops_a_provider_that_computes_wrong_numbers(surefoot, faulty):
    flags = ("-i", "x=ones", "--json", *faulty)
    right = json.loads(surefoot("run", MLP, *flags, "--only", "cpu").stdout)
    wrong = json.loads(surefoot("run", MLP, *flags, FAULTEP="run=wrong").stdout)
    verified = json.loads(surefoot("run", MLP, *flags, "--verify", FAULTEP="run=wrong").stdout)
    assert (right["provider"], wrong["provider"], verified["provider"]) == ("cpu", "faulty", "cpu")
    assert wrong["outputs"] != right["outputs"]
    assert verified["outputs"] == right["outputs"]
    assert "computes wrong numbers: output `y`" in verified["events"][0]["error"]["what"]


def test_the_cpu_agrees_with_itself(surefoot, matches):
    matches("compare_agrees", surefoot("compare", DIGITS, "-i", SEVEN, "--between", "cpu,cpu"))


def test_two_models_that_differ_are_a_no(surefoot, tmp_path):
    other = tmp_path / "other.onnx"
    name = next(
        row["name"] for row in json.loads(surefoot("weights", DIGITS, "--json").stdout)["weights"] if row["shape"] == [10]
    )
    assert surefoot("edit", DIGITS, "-o", other, "--set", f"{name}=[1,0,0,0,0,0,0,0,0,0]").returncode == 0
    done = surefoot("compare", DIGITS, other, "-i", SEVEN, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 1
    assert not document["within"]
    assert document["outputs"][0]["beyond"] > 0
    assert document["one"] == "cpu, digits.onnx"


def test_two_runtimes_are_compared(surefoot):
    done = surefoot("compare", DIGITS, "-i", SEVEN, "--other-runtime", library("cpu-1.27.0"))
    assert done.returncode == 0, done.stderr
    assert "probabilities  agrees" in done.stdout


def test_locate_finds_the_node_of_a_provider_that_is_wrong(surefoot, faulty):
    flags = ("--option", "faulty.ops=Relu", "--optimization", "disabled", *faulty)
    done = surefoot("compare", MLP, "--between", "faulty,cpu", "--locate", *flags, FAULTEP="run=wrong")
    assert done.returncode == 1, done.stderr
    assert "it begins at `r`, output of node `Relu_r` (Relu)\n" in done.stdout
    assert "1 of 64 elements beyond the tolerance\n  input `g`  float32[1,64]  from -" in done.stdout


def test_a_side_that_is_not_what_was_asked_for_is_an_error(surefoot):
    done = surefoot("compare", DIGITS, "--between", "cuda,cpu")
    assert done.returncode == 2
    assert "built without CUDA" in done.stderr


def test_bench_in_json(surefoot, faulty):
    flags = ("--between", "faulty,cpu", "--time", "0.1", "--callers", "1,2", *faulty)
    results = json.loads(surefoot("bench", DIGITS, "--json", *flags).stdout)["results"]
    assert [row["provider"] for row in results] == ["faulty", "cpu"]
    for row in results:
        latency = row["latency_us"]
        assert latency["min"] <= latency["p50_95"][0] <= latency["p50"] <= latency["p50_95"][1] <= latency["max"]
        assert [entry["callers"] for entry in row["throughput"]] == [1, 2]
        assert row["load_us"] > 0


def test_bench_of_prepared_runs(surefoot):
    results = json.loads(surefoot("bench", DIGITS, "--json", "--time", "0.05", "--prepared", "--graph", "try").stdout)["results"]
    assert results[0]["latency_us"]["runs"] > 0
    refused = surefoot("bench", DIGITS, "--graph", "try")
    assert refused.returncode == 2
    assert "`--graph` is for prepared runs" in refused.stderr


def test_bench_as_csv(surefoot):
    rows = list(csv.DictReader(io.StringIO(surefoot("bench", DIGITS, "--csv", "--time", "0.05").stdout)))
    assert len(rows) == 1
    assert rows[0]["provider"] == "cpu"
    assert float(rows[0]["p50_us"]) > 0


def test_bench_in_words(surefoot):
    done = surefoot("bench", DIGITS, "--time", "0.05")
    assert done.returncode == 0
    assert "95 % sure" in done.stdout


def test_memory_in_json(surefoot):
    document = json.loads(surefoot("memory", MODELS / "conv_any_size.onnx", "--scale", "16", "-t", "1", "--json").stdout)
    assert document["schema"] == "surefoot.memory/1"
    assert document["provider"] == "cpu"
    assert 0 < document["weight_bytes"] < document["file_bytes"]
    numbers = {"opening_peak_bytes", "opened_bytes", "largest_bytes", "smallest_bytes", "further_bytes"}
    assert set(document["use"]) == set(document["noise"]) == numbers
    policies = {policy["name"]: policy for policy in document["policies"]}
    assert policies["no arena"]["gains"]
    assert policies["no arena"]["command_line"] == "--no-arena"
    assert policies["no arena"]["use"]["largest_bytes"] < document["use"]["largest_bytes"]
    assert policies["shared arena"]["saved"]["further_bytes"] > 0
    assert policies["shared arena"]["command_line"] is None
    assert policies["cache"]["cache_form"] in ("onnx", "ort", "in-place")


def test_memory_in_words(surefoot):
    done = surefoot("memory", MODELS / "conv_any_size.onnx", "--scale", "16")
    assert done.returncode == 0
    assert "\nas asked for " in done.stdout
    assert "\nwould save\n  no arena: " in done.stdout
    assert "    library       SessionOptions::cpu_arena = false\n    command line  --no-arena\n" in done.stdout
    done = surefoot("memory", DIGITS, "-i", SEVEN, "--no-arena", "--no-memory-pattern")
    assert done.returncode == 0
    assert "\nno arena" not in done.stdout
    assert "\nnothing to gain" in done.stdout


def test_memory_wants_a_scale_that_is_a_size(surefoot):
    done = surefoot("memory", DIGITS, "--scale", "0")
    assert done.returncode == 2
    assert "--scale 0" in done.stderr


def test_tune_leaves_a_record_that_a_session_takes(surefoot, tmp_path):
    cache = {"XDG_CACHE_HOME": str(tmp_path)}
    before = surefoot("run", DIGITS, "-i", SEVEN, "--prefer", "measured", **cache)
    assert before.returncode == 0
    assert "nothing has been measured for this model on this machine" in before.stderr
    document = json.loads(surefoot("tune", DIGITS, "--time", "0.5", "--json", **cache).stdout)
    assert document["schema"] == "surefoot.tune/1"
    assert document["tuned_us"] <= document["default_us"]
    assert {"threads", "spinning"} <= {trial["setting"] for trial in document["trials"]} | set(document["untried"])
    record = json.loads(pathlib.Path(document["record"]).read_text())
    assert record["goal"] == "latency"
    assert {key[4:]: value for key, value in record.items() if key.startswith("set.")} == document["settings"]
    after = surefoot("run", DIGITS, "-i", SEVEN, "--prefer", "measured", **cache)
    assert after.returncode == 0
    assert "measured" not in after.stderr


def test_tune_in_words(surefoot, tmp_path):
    flags = ("--time", "0.3", "--goal", "throughput", "--threads", "1", "--no-save")
    done = surefoot("tune", DIGITS, *flags, XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.startswith("tried\n  spinning=off ")
    assert "\noutcome   " in done.stdout
    assert "saved" not in done.stdout


def test_tune_tries_the_cpu_where_another_provider_leads(surefoot, faulty, tmp_path):
    flags = ("--time", "0.2", "--prefer", "measured", "--no-save", *faulty)
    document = json.loads(surefoot("tune", DIGITS, "--json", *flags, XDG_CACHE_HOME=str(tmp_path)).stdout)
    assert (document["trials"][0]["setting"], document["trials"][0]["value"]) == ("provider", "cpu")


def test_bisect_finds_the_rule_that_breaks_a_model(surefoot, matches):
    matches("bisect", surefoot("bisect", MODELS / "optimizer_bug.onnx"))


def test_bisect_of_a_healthy_model(surefoot):
    done = surefoot("bisect", DIGITS, "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["symptom"] == "none"


def test_what_bisect_advises_opens_the_model(surefoot):
    document = json.loads(surefoot("bisect", MODELS / "optimizer_bug.onnx", "--json").stdout)
    ((key, value),) = document["config"].items()
    done = surefoot(
        "run", MODELS / "optimizer_bug.onnx", "-i", "x=[1,2,3,4]", "--optimization", "all", "--config", f"{key}={value}"
    )
    assert done.returncode == 0, done.stderr
