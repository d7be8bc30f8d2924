"""Batches of Ray Data and requests to Ray Serve, on a local Ray of two cores that reads real files.

Ray listens on every address of the machine: it runs in a network namespace that has the loopback device alone, with
its usage statistics off, and a home of its own for what it writes.
"""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pyarrow
import pytest

import surefoot
from surefoot.ray import SurefootPredictor

ALONE = ["unshare", "--net", "--user", "--map-root-user"]


def in_ray(work, folder):
    if subprocess.run([*ALONE, "true"], capture_output=True).returncode != 0:
        pytest.skip("Ray listens on all addresses, and this machine gives no network namespace (`unshare --net --user`)")
    # What Ray keeps beside its sockets must fit in a socket's name of 107 characters.
    settings = {"HOME": str(folder), "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    program = pathlib.Path(__file__).with_name("ray_programs.py")
    done = subprocess.run([*ALONE, sys.executable, program, work, str(folder)], capture_output=True, text=True,
                          timeout=280, env={**os.environ, **settings})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    found = json.loads((folder / "found.json").read_text())
    assert found["devices"] == ["lo"] and found["usage_statistics"] is False
    return found


def test_a_dataset_is_predicted_whole_though_an_actor_is_killed(tmp_path):
    found = in_ray("data", tmp_path)
    for kind in ("numpy", "pyarrow"):
        of = found[kind]
        assert of["numbers"] and of["same"] and of["killed"], kind
        # One session for each of the two lives, and its events with the driver.
        assert of["opened"] == of["processes"] == 2, kind
        if of["faulty"]:
            assert of["providers"] == ["faulty"] and ["faulty", "run", "ProviderFailed"] in of["events"], of


def test_a_deployment_answers_though_its_replica_is_killed(tmp_path):
    found = in_ray("serve", tmp_path)
    assert found["handle"] and found["http"] and found["after"] and found["opened"] == 2
    wrong_name, wrong_form = found["refused"]
    assert wrong_name["status"] == wrong_form["status"] == 400
    assert "`picture`" in wrong_name["error"]["what"] and "inputs" in wrong_form["error"]["what"]


# ---- a predictor, without Ray's processes ----------------------------------------------------------


def test_batches_come_back_in_kind(digits):
    predictor = SurefootPredictor(digits, outputs={"probabilities": "scores"})
    images = np.random.default_rng(3).random((5, 1, 8, 8))  # float64
    given = predictor({"image": images, "number": np.arange(5)})
    wanted = surefoot.Session(digits).infer({"image": images.astype(np.float32)})["probabilities"]
    assert np.array_equal(given["scores"], wanted) and given["number"].tolist() == [0, 1, 2, 3, 4]
    for column in (pyarrow.array(images.tolist()), pyarrow.FixedShapeTensorArray.from_numpy_ndarray(images)):
        table = predictor(pyarrow.table({"image": column, "number": range(5)}))
        assert table.column_names == ["image", "number", "scores"]
        assert np.array_equal(table["scores"].combine_chunks().to_numpy_ndarray(), wanted)


def test_a_model_of_a_fixed_number_of_rows_gets_the_batch_in_pieces(digits, tmp_path):
    model = surefoot.Model(digits)
    model.fix(batch=2)
    model.save(tmp_path / "two.onnx")
    images = np.random.default_rng(3).random((5, 1, 8, 8), np.float32)
    given = SurefootPredictor(tmp_path / "two.onnx")({"image": images})["probabilities"]
    wanted = surefoot.Session(digits).infer({"image": images})["probabilities"]
    assert given.shape == (5, 10) and np.allclose(given, wanted, atol=1e-6)


def test_a_column_that_does_not_fit_is_named(digits):
    predictor = SurefootPredictor(digits, inputs={"image": "pixels"})
    with pytest.raises(surefoot.NotFound, match="no column `pixels`; it has `pixel`\nhint: did you mean `pixel`"):
        predictor({"pixel": np.zeros((1, 1, 8, 8), np.float32)})
    with pytest.raises(surefoot.InvalidInput, match="column `pixels` is complex64, input `image` wants float32"):
        predictor({"pixels": np.zeros((1, 1, 8, 8), np.complex64)})
