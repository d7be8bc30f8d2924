"""Code as users write it, for the type checkers alone."""

import numpy as np

import surefoot


def classify(path: str) -> int:
    with surefoot.Session(path, prefer=["cuda"]) as session:
        outputs = session.infer({"image": np.zeros((1, 1, 8, 8), np.float32)})
        for event in session.events:
            print(event.candidate, event.error.hint)
    return int(np.argmax(outputs["probabilities"]))


def drop_in(path: str) -> list[str]:
    options = surefoot.SessionOptions()
    options.intra_op_num_threads = 1
    session = surefoot.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return [each.name for each in session.get_inputs()]


def create(path: str) -> surefoot.InferenceSession:
    try:
        return surefoot.create_session(path, prefer=["cuda"], quiet=True)
    except surefoot.ProviderFailed as error:
        print(error.what)
        raise
