#include "runtime/places.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "runtime/made_up_machine.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Found = std::pair<std::string, RuntimeOrigin>;

std::vector<Found> searched(const MadeUpMachine& machine) {
  std::vector<Found> found;
  for (const Place& place : searched_places(machine.surroundings()))
    found.emplace_back(machine.below_root({place.path}).front(), place.origin);
  return found;
}

struct Naming {
  const char* explicit_path;
  const char* surefoot;  ///< null: not set
  const char* ort;
  const char* wanted;
  RuntimeOrigin origin;
};

TEST(NamedPlace, IsTheExplicitPathThenOurVariableThenOrts) {
  const Naming cases[] = {
      {"/a.so", "/b.so", "/c.so", "/a.so", RuntimeOrigin::Explicit},
      {"", "/b.so", "/c.so", "/b.so", RuntimeOrigin::SurefootVariable},
      {"", nullptr, "/c.so", "/c.so", RuntimeOrigin::OrtVariable},
      {"", "/b.so", nullptr, "/b.so", RuntimeOrigin::SurefootVariable},
      {"/a.so", "", "", "/a.so", RuntimeOrigin::Explicit},
      {"", "/b.so", "", "/b.so", RuntimeOrigin::SurefootVariable},
  };
  for (const Naming& each : cases) {
    MadeUpMachine machine;
    if (each.surefoot != nullptr) machine.set("SUREFOOT_ONNXRUNTIME", each.surefoot);
    if (each.ort != nullptr) machine.set("ORT_DYLIB_PATH", each.ort);
    const auto place = named_place(each.explicit_path, machine.surroundings());
    ASSERT_TRUE(place && *place);
    EXPECT_EQ((*place)->path, each.wanted);
    EXPECT_EQ((*place)->origin, each.origin);
  }
}

TEST(NamedPlace, IsNoneWhenNobodyNamesOne) {
  const MadeUpMachine machine;
  const auto place = named_place("", machine.surroundings());
  ASSERT_TRUE(place);
  EXPECT_FALSE(*place);
}

TEST(NamedPlace, TakesAnEmptyVariableForAMistake) {
  for (const char* variable : {"SUREFOOT_ONNXRUNTIME", "ORT_DYLIB_PATH"}) {
    MadeUpMachine machine;
    machine.set(variable, "");
    const auto place = named_place("", machine.surroundings());
    ASSERT_FALSE(place);
    EXPECT_EQ(place.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(place.error().what, HasSubstr(variable));
    EXPECT_THAT(place.error().hint, HasSubstr("unset it"));
  }
}

TEST(LibrariesIn, PutsTheNewestVersionFirst) {
  const MadeUpMachine machine;
  for (const char* name : {"libonnxruntime.so.1.9.0", "libonnxruntime.so.1.10.0", "libonnxruntime.so"})
    machine.add(name);
  EXPECT_THAT(machine.below_root(libraries_in(machine / "")),
              ElementsAre("libonnxruntime.so.1.10.0", "libonnxruntime.so.1.9.0", "libonnxruntime.so"));
}

TEST(LibrariesIn, NamesAFileOnceHoweverManyLinksLeadToIt) {
  const MadeUpMachine machine;
  machine.add("libonnxruntime.so.1.31.1");
  machine.link("libonnxruntime.so.1", "libonnxruntime.so.1.31.1");
  machine.link("libonnxruntime.so", "libonnxruntime.so.1");
  EXPECT_THAT(machine.below_root(libraries_in(machine / "")), ElementsAre("libonnxruntime.so.1.31.1"));
}

TEST(LibrariesIn, KnowsTheNamesOfEachPlatformAndNoOthers) {
  const MadeUpMachine machine;
  for (const char* name :
       {"libonnxruntime.1.31.1.dylib", "onnxruntime.dll", "libonnxruntime_providers_cuda.so",
        "libonnxruntime.a", "libonnxruntime4j_jni.so", "onnxruntime.so", "readme"})
    machine.add(name);
  machine.add("libonnxruntime.so/in_a_folder");
  EXPECT_THAT(machine.below_root(libraries_in(machine / "")),
              ElementsAre("libonnxruntime.1.31.1.dylib", "onnxruntime.dll"));
}

TEST(SearchedPlaces, FollowTheOrderOfTheOrigins) {
  MadeUpMachine machine;
  const auto add = [&](const std::string& folder) {
    return machine.add(folder + "/libonnxruntime.so.1.31.1");
  };
  machine.set("HOME", machine / "home/me");
  machine.set("VIRTUAL_ENV", machine / "venv");
  machine.set("LD_LIBRARY_PATH", ":" + (machine / "listed").string() + ":" + (machine / "absent").string());
  machine.extra.own_folder = machine / "app/bin";
  machine.extra.host_folders = {machine / "interpreter/onnxruntime/capi"};
  machine.extra.mapped = {add("mapped")};
  machine.add("etc/ld.so.conf.d/local.conf", "# a comment\n/opt/configured \n");
  for (const char* folder :
       {"opt/onnxruntime-linux-x64-1.31.1/lib",
        "usr/local/lib/node_modules/onnxruntime-node/bin/napi-v6/linux/x64",
        "home/me/.cache/surefoot/onnxruntime-1.31.1/onnxruntime/capi",
        "usr/lib/python3/dist-packages/onnxruntime/capi", "usr/lib", "usr/lib/x86_64-linux-gnu",
        "opt/configured", "listed", "venv/lib/python3.11/site-packages/onnxruntime/capi", "app/lib",
        "app/bin", "interpreter/onnxruntime/capi"})
    add(folder);
  std::vector<std::string> order;
  std::vector<RuntimeOrigin> origins;
  for (const auto& [path, origin] : searched(machine)) {
    order.push_back(fs::path(path).parent_path().string());
    if (origins.empty() || origins.back() != origin) origins.push_back(origin);
  }
  EXPECT_THAT(order, ElementsAre("mapped", "interpreter/onnxruntime/capi", "app/bin", "app/lib",
                                 "venv/lib/python3.11/site-packages/onnxruntime/capi", "listed",
                                 "opt/configured", "usr/lib/x86_64-linux-gnu", "usr/lib",
                                 "home/me/.cache/surefoot/onnxruntime-1.31.1/onnxruntime/capi",
                                 "usr/lib/python3/dist-packages/onnxruntime/capi",
                                 "usr/local/lib/node_modules/onnxruntime-node/bin/napi-v6/linux/x64",
                                 "opt/onnxruntime-linux-x64-1.31.1/lib"));
  EXPECT_THAT(origins, ElementsAre(RuntimeOrigin::Mapped, RuntimeOrigin::Host, RuntimeOrigin::BesideLibrary,
                                   RuntimeOrigin::PythonEnvironment, RuntimeOrigin::SystemLoader,
                                   RuntimeOrigin::WellKnown));
}

TEST(SearchedPlaces, NameAFileOnceByItsFirstOrigin) {
  MadeUpMachine machine;
  machine.add("venv/lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.31.1");
  machine.link("venv/lib64", "lib");
  machine.link("usr/lib/libonnxruntime.so",
               machine / "venv/lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.31.1");
  machine.set("VIRTUAL_ENV", machine / "venv");
  EXPECT_THAT(searched(machine),
              ElementsAre(Found("venv/lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.31.1",
                                RuntimeOrigin::PythonEnvironment)));
}

TEST(SearchedPlaces, AreNoneOnAnEmptyMachine) { EXPECT_THAT(searched(MadeUpMachine()), IsEmpty()); }

TEST(SearchedFolders, NameTheFoldersEvenWhenTheyAreEmpty) {
  MadeUpMachine machine;
  machine.set("LD_LIBRARY_PATH", machine / "listed");
  std::vector<std::string> folders;
  for (const Place& folder : searched_folders(machine.surroundings()))
    folders.push_back(folder.path.string());
  EXPECT_THAT(folders, testing::Contains((machine / "listed").string()));
  EXPECT_THAT(folders, testing::Contains((machine / "usr/lib").string()));
}

TEST(SearchedFolders, NameEachFolderOnceHoweverItIsReached) {
  MadeUpMachine machine;
  const fs::path folder = machine / "usr/lib";
  fs::create_directories(folder);
  fs::create_directory_symlink(folder, machine / "link");
  machine.set("LD_LIBRARY_PATH", fmt::format("{0}:{0}:{1}", folder.string(), (machine / "link").string()));
  std::vector<fs::path> folders;
  for (const Place& place : searched_folders(machine.surroundings()))
    if (fs::weakly_canonical(place.path) == fs::weakly_canonical(folder)) folders.push_back(place.path);
  EXPECT_THAT(folders, ElementsAre(folder));
}

}  // namespace
}  // namespace surefoot::runtime
