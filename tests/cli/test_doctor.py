"""surefoot doctor on this machine, whatever it is; whole made-up machines stand in src/diagnose/doctor_test.cpp."""

import json
import shutil

from conftest import BINARY, MODELS, library


def findings(done):
    return {finding["slug"]: finding for finding in json.loads(done.stdout)["findings"] if "slug" in finding}


def environment_with(tmp_path, *packages):
    """A Python environment in which these packages claim the same folder."""
    site = tmp_path / "venv/lib/python3.11/site-packages"
    (site / "onnxruntime").mkdir(parents=True)
    (site / "onnxruntime/capi").symlink_to(library("cpu-1.32.0").parent)
    for package in packages:
        (site / f"{package}.dist-info").mkdir()
    return str(tmp_path / "venv")


def test_it_prints_findings_and_facts(surefoot):
    done = surefoot("doctor")
    assert done.returncode in (0, 1)
    for title in ("system", "cpu", "memory", "gpu", "onnxruntime", "provider", "not in it"):
        assert f"\n{title} " in "\n" + done.stdout


def test_the_document_holds_the_machine(surefoot):
    document = json.loads(surefoot("doctor", "--json").stdout)
    assert document["schema"] == "surefoot.doctor/1"
    assert document["machine"]["platform"] == "linux"
    assert document["machine"]["cpus"] >= document["machine"]["cpus_allowed"] >= 1
    present = {row["name"] for row in document["machine"]["providers"] if row["present"]}
    assert "cpu" in present


def test_a_provider_is_usable_once_a_probe_has_found_it_so(surefoot):
    assert "cpu  present, not probed yet" in surefoot("doctor").stdout
    assert surefoot("providers").returncode == 0
    assert "cpu  present, usable" in surefoot("doctor").stdout
    providers = json.loads(surefoot("doctor", "--json").stdout)["machine"]["providers"]
    assert {row["name"]: row["usable"] for row in providers}["cpu"] is True
    reasons = surefoot("doctor", runtime="gpu-1.31.1").stdout
    assert "cuda  not present: `libonnxruntime_providers_cuda.so` needs `libcublasLt.so" in reasons


def test_it_asks_nvidias_management_library_where_the_loader_finds_it(surefoot, tmp_path):
    folder = tmp_path / "driver"
    folder.mkdir()
    (folder / "libnvidia-ml.so.1").symlink_to(BINARY.parents[1] / "lib/libsurefoot_nvml_stand_in.so")
    done = surefoot("doctor", LD_LIBRARY_PATH=str(folder))
    assert "NVIDIA H200, 150.8 GB, compute capability 9.0" in done.stdout
    assert "NVIDIA 580.65.06, CUDA to 13.0" in done.stdout
    machine = json.loads(surefoot("doctor", "--json", LD_LIBRARY_PATH=str(folder)).stdout)["machine"]
    assert [gpu["name"] for gpu in machine["gpus"] if gpu["name"]] == ["NVIDIA GeForce GTX 1080", "NVIDIA H200"]


def test_a_library_is_listed_with_its_version_and_who_wants_it(surefoot, tmp_path):
    folder = tmp_path / "cuda"
    folder.mkdir()
    shutil.copy(BINARY.parents[1] / "lib/libsurefoot_nvml_stand_in.so", folder / "libcudart.so.13.0.48")
    (folder / "libcudart.so.13").symlink_to("libcudart.so.13.0.48")
    machine = json.loads(surefoot("doctor", "--json", runtime="gpu-1.31.1", LD_LIBRARY_PATH=str(folder)).stdout)["machine"]
    (found,) = (each for each in machine["libraries"] if each["path"] == str(folder / "libcudart.so.13"))
    assert found["version"] == "13.0.48"
    assert found["wanted_by"] == ["tensorrt", "cuda"]
    assert "13.0.48  (wanted by tensorrt, cuda)" in surefoot("doctor", runtime="gpu-1.31.1", LD_LIBRARY_PATH=str(folder)).stdout


def test_two_packages_in_one_folder_are_an_error_with_the_command_that_mends_it(surefoot, tmp_path):
    home = environment_with(tmp_path, "onnxruntime-1.32.0", "onnxruntime_gpu-1.31.1")
    done = surefoot("doctor", "--json", VIRTUAL_ENV=home)
    assert done.returncode == 1
    finding = findings(done)["python-module-shadowed"]
    assert finding["action"].startswith("pip uninstall -y onnxruntime onnxruntime-gpu")


def test_one_package_is_no_conflict(surefoot, tmp_path):
    done = surefoot("doctor", "--json", VIRTUAL_ENV=environment_with(tmp_path, "onnxruntime-1.32.0"))
    assert "python-module-shadowed" not in findings(done)


def test_the_gpu_build_says_why_its_providers_are_absent(surefoot):
    document = json.loads(surefoot("doctor", "--json", runtime="gpu-1.31.1").stdout)
    reasons = {row["name"]: row.get("reason", {}).get("slug") for row in document["machine"]["providers"]}
    assert reasons["cuda"] == "cuda-library-missing"


def test_hidden_libraries_show_where_they_lie(surefoot, tmp_path):
    home = environment_with(tmp_path, "onnxruntime-1.32.0")
    folder = tmp_path / "venv/lib/python3.11/site-packages/nvidia/cudnn/lib"
    folder.mkdir(parents=True)
    (folder / "libcudnn.so.9").symlink_to(library("cpu-1.32.0"))
    libraries = json.loads(surefoot("doctor", "--json", VIRTUAL_ENV=home).stdout)["machine"]["libraries"]
    found = {row["soname"]: row for row in libraries}
    if found["libcudnn.so.9"]["loader_finds_it"]:
        return  # this machine has cuDNN where the loader looks
    assert found["libcudnn.so.9"]["path"] == str(folder / "libcudnn.so.9")


def test_a_model_adds_what_stands_in_its_way(surefoot):
    done = surefoot("doctor", MODELS / "custom_domain.onnx", "--json")
    assert done.returncode == 1
    assert findings(done)["operator-not-registered"]["topic"] == "model, operators"


def test_a_model_that_is_none_is_an_error(surefoot):
    done = surefoot("doctor", MODELS / "html_page.onnx")
    assert done.returncode == 2
    assert "an HTML page" in done.stderr


def test_without_any_runtime_it_still_answers(surefoot):
    done = surefoot("doctor", "--json", SUREFOOT_ONNXRUNTIME="/no/such/library.so")
    assert done.returncode == 1
    assert "onnxruntime-not-found" in findings(done)
