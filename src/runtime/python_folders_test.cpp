#include "runtime/python_folders.hpp"

#include <gmock/gmock.h>

#include "runtime/made_up_machine.hpp"

namespace surefoot::runtime {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kLibrary = "libonnxruntime.so.1.31.1";

/// The native libraries of the package under `packages`; gives the folder that is to be found.
std::string install(const MadeUpMachine& machine, const std::string& packages) {
  const std::string capi = packages + "/onnxruntime/capi";
  machine.add(std::filesystem::path(capi) / kLibrary);
  return capi;
}

std::vector<std::string> active(const MadeUpMachine& machine) {
  return machine.below_root(active_python_folders(machine.surroundings()));
}
std::vector<std::string> others(const MadeUpMachine& machine) {
  return machine.below_root(other_python_folders(machine.surroundings()));
}

TEST(VersionKey, HoldsTheNumbersOfAName) {
  EXPECT_THAT(version_key("libonnxruntime.so.1.31.1"), ElementsAre(1, 31, 1));
  EXPECT_THAT(version_key("python3.9"), ElementsAre(3, 9));
  EXPECT_THAT(version_key("none"), IsEmpty());
  EXPECT_LT(version_key("1.9"), version_key("1.10"));
}

TEST(Matching, PutsTheNewestVersionFirst) {
  const MadeUpMachine machine;
  for (const char* name : {"python3", "python3.9", "python3.11", "python2.7", "other3.12"}) machine.add(name);
  EXPECT_THAT(machine.below_root(matching(machine / "", "python3*")),
              ElementsAre("python3.11", "python3.9", "python3"));
  EXPECT_THAT(machine.below_root(matching(machine / "", "*.9")), ElementsAre("python3.9"));
  EXPECT_THAT(matching(machine / "absent", "*"), IsEmpty());
}

TEST(Matching, WantsHeadAndTailApart) {
  const MadeUpMachine machine;
  machine.add("aba");
  EXPECT_THAT(matching(machine / "", "ab*ba"), IsEmpty());
}

TEST(ActivePythonFolders, AreThoseOfTheVirtualEnvironment) {
  MadeUpMachine machine;
  const std::string venv = install(machine, "venv/lib/python3.11/site-packages");
  install(machine, "conda/lib/python3.12/site-packages");
  machine.set("VIRTUAL_ENV", machine / "venv");
  machine.set("CONDA_PREFIX", machine / "conda");
  EXPECT_THAT(active(machine), ElementsAre(venv));
}

TEST(ActivePythonFolders, AreThoseOfConda) {
  MadeUpMachine machine;
  const std::string conda = install(machine, "conda/lib/python3.12/site-packages");
  machine.set("CONDA_PREFIX", machine / "conda");
  EXPECT_THAT(active(machine), ElementsAre(conda));
}

TEST(ActivePythonFolders, GoOnWhenTheEnvironmentHasNoPackage) {
  MadeUpMachine machine;
  std::filesystem::create_directories(machine / "venv/lib/python3.11/site-packages");
  machine.set("VIRTUAL_ENV", machine / "venv");
  machine.set("PATH", machine / "usr/bin");
  machine.add("usr/bin/python3");
  const std::string system = install(machine, "usr/lib/python3/dist-packages");
  EXPECT_THAT(active(machine), ElementsAre(system));
}

TEST(ActivePythonFolders, AreThoseOfTheFirstPythonOnThePath) {
  MadeUpMachine machine;
  machine.set("PATH", ":" + (machine / "empty").string() + ":" + (machine / "first/bin").string() + ":" +
                          (machine / "second/bin").string());
  machine.add("first/bin/python3");
  machine.add("second/bin/python3");
  const std::string first = install(machine, "first/lib/python3.10/site-packages");
  install(machine, "second/lib/python3.10/site-packages");
  EXPECT_THAT(active(machine), ElementsAre(first));
}

TEST(ActivePythonFolders, KnowDebiansAndFedorasPlaces) {
  MadeUpMachine machine;
  machine.set("PATH", machine / "usr/bin");
  machine.add("usr/bin/python3");
  const std::string apt = install(machine, "usr/lib/python3/dist-packages");
  const std::string fedora = install(machine, "usr/lib64/python3.13/site-packages");
  const std::string pip = install(machine, "usr/local/lib/python3.11/dist-packages");
  EXPECT_THAT(active(machine), ElementsAre(apt, fedora, pip));
}

TEST(ActivePythonFolders, IncludeTheUsersOwnPackages) {
  MadeUpMachine machine;
  machine.set("HOME", machine / "home/me");
  const std::string user = install(machine, "home/me/.local/lib/python3.11/site-packages");
  EXPECT_THAT(active(machine), ElementsAre(user));
}

TEST(ActivePythonFolders, PreferTheNewerPythonOfOnePrefix) {
  MadeUpMachine machine;
  machine.set("HOME", machine / "home/me");
  const std::string old = install(machine, "home/me/.local/lib/python3.9/site-packages");
  const std::string recent = install(machine, "home/me/.local/lib/python3.11/site-packages");
  EXPECT_THAT(active(machine), ElementsAre(recent, old));
}

/// pyenv with two versions, its shims first on PATH.
struct Pyenv : MadeUpMachine {
  Pyenv() {
    set("PATH", (*this / "pyenv/shims").string() + ":" + (*this / "usr/bin").string());
    add("pyenv/shims/python3");
    add("usr/bin/python3");
  }
  std::string three_nine = install(*this, "pyenv/versions/3.9.1/lib/python3.9/site-packages");
  std::string three_twelve = install(*this, "pyenv/versions/3.12.0/lib/python3.12/site-packages");
  std::string system = install(*this, "usr/lib/python3/dist-packages");
};

TEST(ActivePythonFolders, FollowPyenvsShimToTheVersionOfTheVariable) {
  Pyenv machine;
  machine.add("pyenv/version", "3.9.1\n");
  machine.set("PYENV_VERSION", "3.12.0");
  EXPECT_THAT(active(machine), ElementsAre(machine.three_twelve));
}

TEST(ActivePythonFolders, FollowPyenvsShimToTheVersionOfTheFile) {
  Pyenv machine;
  machine.add("pyenv/version", "3.9.1\n");
  EXPECT_THAT(active(machine), ElementsAre(machine.three_nine));
}

TEST(ActivePythonFolders, GoOnAlongThePathWhenPyenvLeavesItToTheSystem) {
  Pyenv machine;
  machine.add("pyenv/version", "system\n");
  EXPECT_THAT(active(machine), ElementsAre(machine.system));
}

TEST(ActivePythonFolders, AreNoneOnAMachineWithoutPython) {
  MadeUpMachine machine;
  EXPECT_THAT(active(machine), IsEmpty());
  machine.set("PATH", "");
  machine.set("HOME", "");
  machine.set("VIRTUAL_ENV", "");
  EXPECT_THAT(active(machine), IsEmpty());
}

TEST(OwnPythonFolders, AreThoseOfTheEnvironmentThatTheCommandIsIn) {
  MadeUpMachine machine;
  const std::string capi = install(machine, "venv/lib/python3.11/site-packages");
  machine.extra.own_folder = machine / "venv/bin";
  EXPECT_THAT(own_python_folders(machine.surroundings()), IsEmpty());
  machine.add("venv/pyvenv.cfg");
  EXPECT_THAT(machine.below_root(own_python_folders(machine.surroundings())), ElementsAre(capi));
}

TEST(OtherPythonFolders, AreTheSystemsAndThoseOfPyenvAndConda) {
  MadeUpMachine machine;
  machine.set("HOME", machine / "home/me");
  const std::string system = install(machine, "usr/local/lib/python3.11/dist-packages");
  const std::string old = install(machine, "home/me/.pyenv/versions/3.9.1/lib/python3.9/site-packages");
  const std::string recent = install(machine, "home/me/.pyenv/versions/3.12.0/lib/python3.12/site-packages");
  const std::string conda = install(machine, "home/me/miniforge3/envs/x/lib/python3.10/site-packages");
  EXPECT_THAT(others(machine), ElementsAre(system, recent, old, conda));
}

TEST(QuickstartFolders, AreBelowTheCacheOfTheUser) {
  MadeUpMachine machine;
  machine.set("HOME", machine / "home/me");
  std::filesystem::create_directories(machine / "home/me/.cache/surefoot/onnxruntime-1.9.0");
  std::filesystem::create_directories(machine / "home/me/.cache/surefoot/onnxruntime-1.31.1");
  EXPECT_THAT(machine.below_root(quickstart_folders(machine.surroundings())),
              ElementsAre("home/me/.cache/surefoot/onnxruntime-1.31.1/onnxruntime/capi",
                          "home/me/.cache/surefoot/onnxruntime-1.31.1/capi",
                          "home/me/.cache/surefoot/onnxruntime-1.9.0/onnxruntime/capi",
                          "home/me/.cache/surefoot/onnxruntime-1.9.0/capi"));
}

TEST(QuickstartFolders, FollowTheVariableOfTheCache) {
  MadeUpMachine machine;
  machine.set("HOME", machine / "home/me");
  machine.set("XDG_CACHE_HOME", machine / "cache");
  std::filesystem::create_directories(machine / "home/me/.cache/surefoot/onnxruntime-1.9.0");
  EXPECT_THAT(quickstart_folders(machine.surroundings()), IsEmpty());
  std::filesystem::create_directories(machine / "cache/surefoot/onnxruntime-1.31.1");
  EXPECT_EQ(quickstart_folders(machine.surroundings()).size(), 2u);
}

}  // namespace
}  // namespace surefoot::runtime
