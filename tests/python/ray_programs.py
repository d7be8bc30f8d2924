"""What test_ray.py runs on a local Ray of two cores, in a network of its own that has a loopback device and nothing else.

    ray_programs.py data|serve FOLDER

Leaves what it found as FOLDER/found.json: Ray itself may write to both outputs.
"""

import fcntl
import json
import os
import pathlib
import signal
import socket
import struct
import sys
import urllib.error
import urllib.request

import numpy as np

MODEL = str(pathlib.Path("models/digits/digits.onnx").resolve())
ROWS = 500
FAULTY = os.environ.get("SUREFOOT_TEST_FAULT_EP", "")
FAULTY = FAULTY if pathlib.Path(FAULTY).is_file() else ""


def raise_loopback():
    """Sets the device up, as `ip link set lo up`."""
    get_flags, set_flags, is_up = 0x8913, 0x8914, 1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name, flags = struct.unpack("16sh", fcntl.ioctl(any_socket, get_flags, struct.pack("16sh", b"lo", 0)))
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh", name, flags | is_up))


raise_loopback()
import pyarrow  # noqa: E402
import pyarrow.parquet  # noqa: E402
import ray  # noqa: E402

import surefoot  # noqa: E402
from surefoot.ray import EventLog, SurefootPredictor  # noqa: E402


def images():
    return np.random.default_rng(7).random((ROWS, 1, 8, 8), np.float32)


def write_files(folder):
    """Five parquet files: a number, and the pixels as a list, a row each."""
    for part, places in enumerate(np.array_split(np.arange(ROWS), 5)):
        pixels = [image.tolist() for image in images()[places]]
        pyarrow.parquet.write_table(pyarrow.table({"number": places, "pixels": pixels}), folder / f"{part}.parquet")


class Mortal(SurefootPredictor):
    """Dies the first time that it meets the row 250, as if it had been killed."""

    def __init__(self, *, grave, **options):
        if FAULTY:
            surefoot.load_runtime().register_plugin("faulty", FAULTY)
            options.update(prefer=["faulty"], provider_options={"faulty": {"fault": "run:2=fail"}})
        super().__init__(**options)
        self._grave = pathlib.Path(grave)

    def __call__(self, batch):
        if 250 in np.asarray(batch["number"]) and not self._grave.exists():
            self._grave.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(batch)


def predicted(files, folder, batch_format, grave):
    events = EventLog()
    options = dict(model=MODEL, inputs={"image": "pixels"}, outputs={"probabilities": "scores"}, events=events,
                   intra_op_threads=1, grave=str(folder / grave))
    done = ray.data.read_parquet(str(files)).map_batches(
        Mortal, fn_constructor_kwargs=options, batch_format=batch_format, batch_size=32, concurrency=1)
    rows = sorted(done.take_all(), key=lambda row: row["number"])
    wanted = surefoot.Session(MODEL).infer({"image": images()})["probabilities"]
    return {
        "numbers": [int(row["number"]) for row in rows] == list(range(ROWS)),
        "same": bool(np.allclose([row["scores"] for row in rows], wanted, atol=1e-5)),
        "killed": (folder / grave).exists(),
        "opened": len(events.opened()),
        "processes": len({each.origin.process for each in events.opened()}),
        "providers": sorted({each.provider for each in events.opened()}),
        "faulty": bool(FAULTY),
        "events": [[each.event.candidate, each.event.stage, type(each.event.error).__name__] for each in events.events()],
    }


def data(folder):
    files = folder / "files"
    files.mkdir()
    write_files(files)
    ray.data.DataContext.get_current().enable_progress_bars = False
    return {kind: predicted(files, folder, kind, f"grave of {kind}") for kind in ("numpy", "pyarrow")}


def answer(inputs):
    request = urllib.request.Request("http://127.0.0.1:8000/", json.dumps(inputs).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refused:
        return {"status": refused.code, **json.load(refused)}


def serving(folder):
    from ray import serve
    from surefoot.ray import SurefootDeployment

    image = images()[:2]
    wanted = surefoot.Session(MODEL).infer({"image": image})["probabilities"]
    serve.start(http_options={"host": "127.0.0.1", "port": 8000})
    events = EventLog()
    handle = serve.run(SurefootDeployment.bind(MODEL, events=events, intra_op_threads=1))
    by_handle = handle.remote({"image": image}).result(timeout_s=60)["probabilities"]
    by_http = answer({"inputs": {"image": image.tolist()}})
    refused = [answer({"inputs": {"picture": [1]}}), answer([1])]
    os.kill(events.opened()[0].origin.process, signal.SIGKILL)
    after = answer_in_the_end({"inputs": {"image": image.tolist()}})
    result = {
        "handle": bool(np.array_equal(by_handle, wanted)),
        "http": bool(np.allclose(by_http["outputs"]["probabilities"], wanted, atol=1e-6)),
        "refused": refused,
        "after": bool(np.allclose(after["outputs"]["probabilities"], wanted, atol=1e-6)),
        "opened": len(events.opened()),
    }
    serve.shutdown()
    return result


def answer_in_the_end(inputs):
    """A request that is sent again while its replica is being replaced."""
    import time

    end = time.monotonic() + 90
    while True:
        try:
            given = answer(inputs)
            if "outputs" in given:
                return given
        except (OSError, ValueError) as failed:
            given = failed
        assert time.monotonic() < end, given
        time.sleep(0.5)


def devices():
    return [name for _, name in socket.if_nameindex()]


def usage_statistics():
    from ray._common.usage.usage_lib import usage_stats_enabled

    return usage_stats_enabled()


def main():
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100 << 20, log_to_driver=False)
    work = {"data": data, "serve": serving}[sys.argv[1]]
    folder = pathlib.Path(sys.argv[2])
    found = {"devices": devices(), "usage_statistics": usage_statistics(), **work(folder)}
    (folder / "found.json").write_text(json.dumps(found))
    ray.shutdown()


if __name__ == "__main__":
    main()
