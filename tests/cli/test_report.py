"""surefoot report: the page that it writes, the same as JSON, and what it refuses before it measures."""

import json
import re

import pytest
from conftest import BINARY, ROOT

DIGITS = ROOT / "models/digits/digits.onnx"
QUICK = ("--time", "0.05", "--runs", "2")
FAULT_EP = BINARY.parents[1] / "lib/libsurefoot_fault_ep.so"


def report(surefoot, *arguments, **variables):
    return surefoot("report", DIGITS, *QUICK, *arguments, **variables)


def data_of(page):
    return json.loads(re.search(r'id="report-data">(.*?)</script>', page.read_text(), re.DOTALL)[1])


def test_the_page_and_the_document_are_one_report(surefoot, tmp_path):
    page = tmp_path / "report.html"
    done = report(surefoot, "-o", page, "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == "surefoot.report/1"
    assert document == data_of(page)
    assert (document["plan"]["chosen"], document["comparison"]) == ("cpu", None)
    assert [node["op"] for node in document["nodes"] if node["in_model"]].count("Conv") == 2
    assert document["latency"][0]["latency_us"]["runs"] > 0
    assert document["inputs"]["made_up"]


def test_it_says_where_the_page_lies_and_what_it_is_at(surefoot, tmp_path):
    done = report(surefoot, "-o", tmp_path / "report.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == str(tmp_path / "report.html")
    assert re.search(r"latency +p50 \d+\.\d+ [um]s, \d+ runs", done.stdout)
    assert done.stderr.splitlines() == ["profiling", "timing", "examining the machine"]


def test_nothing_is_timed_in_no_time(surefoot, tmp_path):
    done = surefoot("report", DIGITS, "-o", tmp_path / "report.html", "--time", "0")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "  latency   not timed")


def test_json_alone_writes_no_file(surefoot, tmp_path):
    done = report(surefoot, "--json", "--quiet", "-i", "image=ones:1x1x8x8")
    assert (done.returncode, done.stderr) == (0, "")
    assert not json.loads(done.stdout)["inputs"]["made_up"]
    assert list(tmp_path.glob("*.html")) == []


def test_a_page_or_json_must_be_asked_for(surefoot):
    done = report(surefoot)
    assert done.returncode == 2
    assert done.stderr == "error: `--output` is missing\n\nhint: name the page to write: `-o report.html`\n"


def test_a_file_that_is_there_stays_unless_force_is_given(surefoot, tmp_path):
    page = tmp_path / "report.html"
    page.write_text("mine")
    done = report(surefoot, "-o", page)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: `{page}` exists already\n"), "nothing was measured before"
    assert page.read_text() == "mine"
    assert report(surefoot, "-o", page, "--force").returncode == 0
    assert page.read_text().startswith("<!doctype html>")


def test_the_model_is_never_written_over(surefoot, tmp_path):
    model = tmp_path / "model.onnx"
    model.write_bytes(DIGITS.read_bytes())
    done = surefoot("report", model, "-o", model, "--force")
    assert done.returncode == 2
    assert "is the model itself" in done.stderr
    assert model.read_bytes() == DIGITS.read_bytes()


def test_made_up_inputs_that_do_not_suit_are_named(surefoot, tmp_path):
    done = report(surefoot, "-o", tmp_path / "report.html", "-i", "image=ones:1x1x9x9")
    assert done.returncode == 2
    assert "`image`" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_another_provider_is_compared_with_the_cpu(surefoot, tmp_path):
    if not FAULT_EP.exists():
        pytest.skip("the fault-injecting provider is not built: there are no official headers here")
    plugin = ("--plugin", f"faulty={FAULT_EP}")
    done = report(surefoot, "-o", tmp_path / "report.html", "--json", "--optimization", "disabled", *plugin, FAULTEP="run=wrong")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["plan"]["chosen"] == "faulty"
    assert not document["comparison"]["within"]
    assert [row["provider"] for row in document["latency"]] == ["faulty", "cpu"]
    assert {node.get("provider") for node in document["nodes"]} >= {"faulty", "cpu"}
