"""The page of `surefoot report` in a real browser: a real model, one of 6,000 nodes, and one with hostile names."""

import json
import time

import onnx
import pytest
from onnx import helper
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser as browsers
import packages
from surefoot_command import surefoot

HOSTILE = ["</script><script>window.hacked = 1</script>", "<img src=x onerror='window.hacked = 1'>", "<!--<script>",
           "\u2028\u2029\\u003c", "\u202egnp.exe", "{{data}}", "x" * 3000]
BLOCKS, LAYERS, OPERATORS = 60, 10, ("Relu", "Neg", "Abs", "Sigmoid", "Tanh", "Neg", "Abs", "Relu", "Sin", "Cos")


@pytest.fixture(scope="module")
def browser():
    browser = browsers.start()
    yield browser
    browser.driver.quit()


def chain(path, names_and_operators):
    """A model of one node behind the other."""
    nodes = [helper.make_node(op, [f"v{i}"], [f"v{i + 1}"], name=name) for i, (name, op) in enumerate(names_and_operators)]
    value = lambda name: helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 64])
    graph = helper.make_graph(nodes, "chain", [value("v0")], [value(f"v{len(nodes)}")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def report(folder, model, *arguments, **variables):
    """The page, and the same as a document."""
    page = folder / "report.html"
    done = surefoot("report", model, "-o", page, "--json", "--time", "0.3", "--runs", "3", *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return page, json.loads(done.stdout)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The detector of rapidocr, by OpenVINO, beside which the CPU is timed and compared."""
    (library,) = packages.folder("onnxruntime-openvino").rglob("libonnxruntime.so.1*")
    (model,) = [path for path in packages.models("rapidocr") if "det" in path.name]
    return report(tmp_path_factory.mktemp("real"), model, "--option", "openvino.device_type=CPU",
                  SUREFOOT_ONNXRUNTIME=str(library))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    names = [(f"/model/blocks.{block}/layer.{layer}/{'attention' if i < 5 else 'mlp'}/{op}_{i}", op)
             for block in range(BLOCKS) for layer in range(LAYERS) for i, op in enumerate(OPERATORS)]
    return report(folder, chain(folder / "large.onnx", names))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    return report(folder, chain(folder / "<b>a&b.onnx", [(name, "Relu") for name in HOSTILE]), "--optimization", "disabled")


@pytest.fixture(scope="module", params=["real", "large", "hostile"])
def each(request):
    return request.getfixturevalue(request.param)


def texts(browser, selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent.trim())", selector)


def active(browser):
    """The row that the keyboard is on."""
    return browser.run("""const row = document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant'));
        return {text: row.getAttribute('aria-label'), open: row.getAttribute('aria-expanded'), level: row.getAttribute('aria-level')}""")


def test_it_opens_at_once_without_an_error_and_asks_for_nothing(browser, each):
    page, _ = each
    began = time.monotonic()
    browser.open(page)
    assert time.monotonic() - began < 10
    assert browser.console() == []
    assert [url for url in browser.requests() if not url.startswith("data:")] == [page.as_uri()]


def test_its_sections_say_what_the_document_says(browser, real):
    page, document = real
    browser.open(page)
    assert document["plan"]["chosen"] == "openvino"
    assert texts(browser, "h1") == [document["model"]["path"].split("/")[-1]]
    names = [row.split(" with ")[0] for row in texts(browser, "#candidates h3")]
    assert names == [row["name"] for row in document["plan"]["candidates"]]
    reasons = [row["reason"]["what"] for row in document["plan"]["candidates"] if "reason" in row]
    assert texts(browser, "#candidates .reason") == reasons and reasons
    assert texts(browser, "#histograms h3") == ["openvino", "cpu"]
    assert [texts(browser, "#compared tbody th"), texts(browser, "#compared .good")] == [
        [row["name"] for row in document["comparison"]["outputs"]],
        ["✓ agrees" for row in document["comparison"]["outputs"] if row["within"]]]
    assert texts(browser, "#found .reason") == [row["what"] for row in document["findings"]]
    assert document["placement"]["summary"] in texts(browser, "#nodes-lead")[0]
    assert document["runtime"]["path"] in texts(browser, "#machine-facts code")
    assert document["model"]["path"] in texts(browser, "#model-facts code")
    counts = sum(document["latency"][0]["histogram"]["counts"])
    drawn = browser.run("""return [...document.querySelectorAll('.histogram')[0].querySelectorAll('rect title')]
        .reduce((sum, one) => sum + Number(one.textContent.match(/: ([\\d,]+) run/)[1].replaceAll(',', '')), 0)""")
    assert drawn == counts
    assert browser.console() == []


def test_the_tree_is_walked_by_keyboard(browser, large):
    browser.open(large[0])
    browser.run("document.getElementById('tree').focus()")
    browser.press(Keys.HOME, Keys.ARROW_DOWN)
    before = active(browser)
    assert (before["open"], before["level"]) == ("false", "2")
    assert before["text"].startswith("blocks.0, 100 nodes, cpu")
    browser.press(Keys.ENTER)
    assert active(browser)["open"] == "true"
    browser.press(Keys.ARROW_RIGHT)
    assert active(browser)["text"].startswith("layer.0, 10 nodes")
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    assert active(browser) == before
    browser.press(Keys.END)
    assert active(browser)["text"].startswith(f"blocks.{BLOCKS - 1}, ")
    assert browser.console() == []


def test_six_thousand_open_nodes_are_a_few_rows(browser, large):
    browser.open(large[0])
    browser.driver.find_element(By.ID, "expand").click()
    assert browser.run("return tree.rows.length") > BLOCKS * LAYERS * len(OPERATORS)
    assert len(texts(browser, ".row")) < 60
    browser.run("document.getElementById('tree').focus()")
    browser.press(Keys.END)
    assert active(browser)["text"].startswith(f"/model/blocks.{BLOCKS - 1}/layer.{LAYERS - 1}/mlp/Cos_9, Cos, cpu")
    assert texts(browser, "#detail h3") == [f"/model/blocks.{BLOCKS - 1}/layer.{LAYERS - 1}/mlp/Cos_9"]


def test_the_search_shows_what_matches_and_nothing_else(browser, large):
    browser.open(large[0])
    browser.press("/", *"BLOCKS.7/layer.3/")
    assert texts(browser, "#search-count") == ["10 of 6,000 nodes"]
    rows = browser.run("return [...document.querySelectorAll('.row:not(.branch) .label')].map((one) => one.title)")
    assert len(rows) == 10 and all("blocks.7/layer.3/" in name for name in rows)
    browser.press(*"nothing")
    assert texts(browser, ".row") == []
    assert browser.run("return document.querySelector('#tree .notice').checkVisibility()")


def test_a_node_leads_to_those_that_it_reads_from(browser, large):
    browser.open(large[0])
    browser.press("/", *"blocks.7/layer.3/attention/neg_1")
    browser.run("document.getElementById('tree').focus()")
    browser.press(Keys.END)
    assert texts(browser, "#detail h3") == ["/model/blocks.7/layer.3/attention/Neg_1"]
    browser.driver.find_element(By.CSS_SELECTOR, "#detail .jump").send_keys(Keys.ENTER)
    assert texts(browser, "#detail h3") == ["/model/blocks.7/layer.3/attention/Relu_0"]
    assert browser.run("return document.activeElement.id") == "tree"


def test_the_legend_hides_a_provider(browser, real):
    page, document = real
    browser.open(page)
    browser.driver.find_element(By.CSS_SELECTOR, "#legend input[value=openvino]").click()
    left = sum("provider" not in node for node in document["nodes"])
    assert texts(browser, "#search-count") == [f"{left} of {len(document['nodes'])} nodes"]


def test_the_graph_is_walked_by_keyboard(browser, large):
    browser.open(large[0])
    boxes = lambda: texts(browser, ".graph .box text:not(.more)")
    assert boxes() == [f"blocks.{i}" for i in range(BLOCKS)]
    assert len(texts(browser, ".graph .edge")) == BLOCKS - 1
    browser.run("document.querySelector('.graph .box[tabindex=\"0\"]').focus()")
    browser.press(Keys.ARROW_DOWN)
    assert texts(browser, "#graph-said")[0].startswith("blocks.1, 100 nodes, on cpu")
    browser.press(Keys.ENTER, Keys.ENTER, Keys.ENTER)
    assert texts(browser, "#graph-way li") == ["all nodes", "model", "blocks.1", "layer.0", "attention"]
    assert boxes() == ["Relu_0", "Neg_1", "Abs_2", "Sigmoid_3", "Tanh_4"]
    browser.press(Keys.ARROW_DOWN, Keys.ENTER)
    assert texts(browser, "#detail h3") == ["/model/blocks.1/layer.0/attention/Neg_1"]
    browser.driver.find_element(By.CSS_SELECTOR, "#detail p button").send_keys(Keys.ENTER)
    assert browser.run("return document.activeElement.getAttribute('aria-label')").startswith("/model/blocks.1/layer.0/attention/Neg_1, Neg")
    browser.press(Keys.ESCAPE)
    assert texts(browser, "#graph-way li")[-1] == "layer.0"
    assert browser.console() == []


def test_the_graph_of_a_model_without_scopes_is_drawn_in_bundles(browser, real):
    browser.open(real[0])
    assert texts(browser, ".graph .box text:not(.more)")[:2] == ["nodes 1 to 20", "nodes 21 to 40"]
    places = browser.run("""return graph.layers.map((layer) => layer.map((item) => [item.x - item.width / 2, item.x + item.width / 2]))""")
    for layer in places:
        assert all(one[1] < other[0] for one, other in zip(layer, layer[1:])), "boxes and lines overlap"


def test_the_flame_chart_is_walked_by_keyboard(browser, large):
    browser.open(large[0])
    browser.run("document.querySelector('.flame .block[tabindex=\"0\"]').focus()")
    said = lambda: texts(browser, "#flame-said")[0]
    assert said().startswith("all nodes, 6,000 nodes, on cpu: ")
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    inner = said()
    assert inner.startswith("blocks.")
    browser.press(Keys.ENTER)
    assert texts(browser, "#flame-path")[0].startswith("Inside blocks.")
    assert said() == inner
    browser.press(Keys.ESCAPE)
    assert said().startswith("all nodes")
    assert browser.console() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in(browser, real, scheme):
    browser.open(real[0], scheme=scheme)
    ground = browser.run("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(ground) > 600) if scheme == "light" else (sum(ground) < 150)
    browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert browser.low_contrast() == []


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_is_wider_than_the_window(browser, each, width):
    browser.open(each[0], width=width)
    assert browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_the_first_tab_leads_past_the_head(browser, real):
    browser.open(real[0])
    browser.press(Keys.TAB)
    assert browser.run("return document.activeElement.textContent") == "Skip to the content"
    browser.press(Keys.ENTER)
    assert browser.run("return document.activeElement.id") == "content"


def test_on_paper_it_is_light_and_holds_a_table_of_the_nodes(browser, large):
    browser.open(large[0], scheme="dark")
    pdf = browser.printed()
    assert pdf.startswith(b"%PDF-") and len(pdf) > 20_000
    browser.devtools("Emulation.setEmulatedMedia", media="print")
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert len(texts(browser, "#tree-print tbody tr")) == 60
    assert browser.console() == []


def test_hostile_names_are_texts(browser, hostile):
    page, document = hostile
    browser.open(page)
    browser.driver.find_element(By.ID, "expand").click()
    assert texts(browser, "h1") == ["<b>a&b.onnx"]
    assert browser.run("return window.hacked") is None
    assert browser.run("return document.images.length + document.scripts.length") == 2
    names = [node["name"] for node in document["nodes"] if node["in_model"]]
    assert names == HOSTILE
    for name in names:
        browser.run("select(report.nodes.find((node) => node.name === arguments[0]))", name)
        assert browser.run("return document.querySelector('#detail h3').textContent") == name
    assert browser.console() == []
