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


def prepare(path: str) -> float:
    run = surefoot.Session(path).prepare(dims={"batch": 2}, shapes={"image": (2, 1, 8, 8)})
    run.inputs["image"] = np.zeros((2, 1, 8, 8), np.float32)
    run.run(timeout=1.0)
    return float(run.clone().outputs["probabilities"].max())


def edit(path: str) -> list[str]:
    model = surefoot.Model(path, auto_create=True, prefer=["cuda"])
    with model.patch({name: array * 2 for name, array in model.weights.items()}):
        model.create_session(dims={"batch": 1})
    model.nodes.insert(surefoot.Node("Neg", ["image"], ["minus"]))
    return [problem.what for problem in model.check()]


def measure(path: str) -> float:
    found = surefoot.tune(path, goal="throughput", callers=4, time=5.0, prefer=["cuda"])
    memory = surefoot.measure_memory(path, scale=2)
    print(found.settings, found.record, [each.name for each in memory.policies if each.gains], memory.use.largest)
    report = surefoot.write_report(path, "report.html", on_step=print, replace=True, only=["cpu"])
    return report.latency[0].latency.p50 if report.comparison is None else report.comparison.outputs["y"].max_absolute
