"""Unchanged programs of other people, on our sessions."""

import json
import os
import subprocess
import sys

import pytest

PAGE = """if 1:
import numpy, sys
from PIL import Image, ImageDraw, ImageFont
from rapidocr import RapidOCR
page = Image.new("RGB", (640, 160), "white")
font = ImageFont.truetype(sys.argv[1], 40)
ImageDraw.Draw(page).text((20, 50), "Keep your footing 42", fill="black", font=font)
print(" ".join(RapidOCR()(numpy.array(page)).txts))
"""


def run(*command, **options):
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done


def dejavu():
    import glob

    return sorted(glob.glob("/usr/share/fonts/**/DejaVuSans.ttf", recursive=True))[0]


def test_rapidocr_reads_a_page(tmp_path):
    program = tmp_path / "read_page.py"
    program.write_text(PAGE.replace("if 1:\n", ""))
    genuine, ours = run(program, dejavu()), run("-m", "surefoot", "run", program, dejavu())
    assert ours.stdout == genuine.stdout and "footing 42" in ours.stdout
    report = ours.stderr[ours.stderr.index("surefoot: "):]
    assert report.count("ran on cpu") == 3


def test_magika_names_files(tmp_path):
    texts = {"a.py": "import os\n\ndef main():\n    print(os.name)\n" * 5, "b.json": json.dumps({"a": [1, 2, 3]} ) * 1,
             "c.html": "<!DOCTYPE html><html><body><p>text</p></body></html>" * 3}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    program = tmp_path / "name_files.py"
    program.write_text("import pathlib, sys\nfrom magika import Magika\nmagika = Magika()\n"
                       "for name in sys.argv[1:]: print(magika.identify_path(pathlib.Path(name)).output.label)\n")
    files = [tmp_path / name for name in texts]
    genuine, ours = run(program, *files), run("-m", "surefoot", "run", program, *files)
    assert ours.stdout == genuine.stdout == "python\njson\nhtml\n"
    assert "ran on cpu" in ours.stderr


VAD = """
import sys, wave, numpy, onnxruntime
with wave.open(sys.argv[2]) as file:
    samples = numpy.frombuffer(file.readframes(file.getnframes()), numpy.int16).astype(numpy.float32) / 32768
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
state, context, heard = numpy.zeros((2, 1, 128), numpy.float32), numpy.zeros((1, 64), numpy.float32), []
for at in range(0, len(samples) - 511, 512):
    window = numpy.concatenate([context, samples[None, at:at + 512]], 1)
    probability, state = session.run(None, {"input": window, "state": state, "sr": numpy.array(16000, numpy.int64)})
    context = window[:, -64:]
    heard.append(float(probability[0, 0]))
print(*heard)
"""


def test_silero_vad_finds_speech(tmp_path):
    """The model of the package, in the loop that its documentation gives; its own Python file needs torch."""
    spoken = tmp_path / "spoken.wav"
    subprocess.run(["espeak-ng", "-w", tmp_path / "raw.wav", "The quick brown fox jumps over the lazy dog"], check=True)
    import wave

    import numpy as np

    with wave.open(str(tmp_path / "raw.wav")) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), np.int16)
    at = np.arange(0, len(samples) - 1, rate / 16000)
    with wave.open(str(spoken), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(np.interp(at, np.arange(len(samples)), samples).astype(np.int16).tobytes())
    from pathlib import Path

    model = next(Path(os.environ["SUREFOOT_TEST_PACKAGES"]).glob("silero-vad-*/data/silero_vad.onnx"))
    program = tmp_path / "listen.py"
    program.write_text(VAD)
    genuine, ours = run(program, model, spoken), run("-m", "surefoot", "run", program, model, spoken)
    assert ours.stdout == genuine.stdout and max(map(float, ours.stdout.split())) > 0.5


EMBED = """
import sys
from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType
TextEmbedding.add_custom_model("local/tiny", pooling=PoolingType.MEAN, normalization=True,
                               sources=ModelSource(hf="local/tiny"), dim=16, model_file="model.onnx")
model = TextEmbedding("local/tiny", specific_model_path=sys.argv[1])
for vector in model.embed(sys.argv[2:]): print(*vector)
"""
WORDS = "[PAD] [UNK] the cat dog sat slept on mat rug rain falls in spain".split()


def tiny_embedder(folder):
    """A model of one layer of attention over random embeddings, with the tokenizer that its users expect beside it."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models as kinds, pre_tokenizers

    import models

    words = np.random.default_rng(1).normal(size=(len(WORDS), 16)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["words", "input_ids"], ["h"]), helper.make_node("Transpose", ["h"], ["t"], perm=[0, 2, 1]),
             helper.make_node("MatMul", ["h", "t"], ["scores"]), helper.make_node("Softmax", ["scores"], ["attention"]),
             helper.make_node("MatMul", ["attention", "h"], ["mixed"]), helper.make_node("Add", ["mixed", "h"], ["last_hidden_state"])]
    ids = [models.tensor(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    out = [models.tensor("last_hidden_state", shape=["batch", "length", 16])]
    (folder / "model.onnx").write_bytes(models.bytes_of(nodes, ids, out, [numpy_helper.from_array(words, "words")]))
    tokenizer = Tokenizer(kinds.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 32, "pad_token": "[PAD]"}))
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))


def test_fastembed_finds_the_sentence_that_is_meant(tmp_path):
    """With a model made here: those of its own list are downloaded."""
    import numpy as np

    tiny_embedder(tmp_path)
    program = tmp_path / "embed.py"
    program.write_text(EMBED)
    sentences = ["the cat sat on the mat", "the cat slept on the rug", "rain falls in spain"]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    genuine = run(program, tmp_path, *sentences, env=offline)
    ours = run("-m", "surefoot", "run", program, tmp_path, *sentences, env=offline)
    cat, also_cat, rain = (np.array(line.split(), float) for line in ours.stdout.splitlines())
    assert ours.stdout == genuine.stdout and cat @ also_cat > cat @ rain
    assert "ran on cpu" in ours.stderr


def test_a_module_runs_as_a_program_and_its_exit_code_is_kept(tmp_path):
    (tmp_path / "leave.py").write_text("import sys\nsys.exit(3)\n")
    done = subprocess.run([sys.executable, "-m", "surefoot", "run", "-m", "leave"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 3 and "no session was opened" in done.stderr
    wrong = subprocess.run([sys.executable, "-m", "surefoot", "walk"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "usage:" in wrong.stderr


@pytest.mark.parametrize("name", ["InferenceSession", "IOBinding", "SessionOptions", "RunOptions"])
def test_install_replaces_a_class_and_uninstall_gives_it_back(name):
    code = f"""if 1:
    import onnxruntime, surefoot
    genuine = onnxruntime.{name}
    surefoot.install(); surefoot.install()
    assert onnxruntime.{name} is not genuine
    surefoot.uninstall()
    assert onnxruntime.{name} is genuine
    """
    run("-c", code)


def test_genuine_sessions_take_the_recorded_options_too():
    code = """if 1:
    import sys; sys.path.insert(0, "tests/python")
    import onnxruntime, surefoot, models
    genuine = onnxruntime.InferenceSession
    surefoot.install()
    options = onnxruntime.SessionOptions()
    options.add_free_dimension_override_by_name("N", 3)
    run_options = onnxruntime.RunOptions()
    run_options.terminate = True
    for kind in (genuine, onnxruntime.InferenceSession):
        session = kind(models.add(), options)
        assert session.get_inputs()[0].shape == [3]
        try: session.run(None, {"a": __import__("numpy").zeros(3, "f"), "b": __import__("numpy").zeros(3, "f")}, run_options)
        except onnxruntime.capi.onnxruntime_pybind11_state.Fail: continue
        raise SystemExit(f"{kind} was not stopped")
    """
    run("-c", code)
