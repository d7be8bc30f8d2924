"""Tests of check_style.py: small trees that keep or break one rule each."""

import pathlib
import tempfile
import unittest

from check_style import check

DOCUMENTS = {"README.md": "", "ARCHITECTURE.md": "", "CONTRIBUTING.md": ""}


class Style(unittest.TestCase):
    def offences(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**DOCUMENTS, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(text if isinstance(text, bytes) else text.encode())
            return check(root)

    def assert_one(self, files, *words):
        found = self.offences(files)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def test_small_files_with_names_of_things_pass(self):
        self.assertEqual(self.offences({"src/plan/plan.cpp": "int x;\n", "src/plan/CMakeLists.txt": "part(plan.cpp)"}), [])

    def test_a_file_above_the_limit_is_named_with_its_size(self):
        lines = {f"src/{i}.hpp": "\n" for i in range(9)}
        self.assert_one({**lines, "src/long.hpp": "\n" * 601}, "src/long.hpp: 601 lines")

    def test_a_table_may_be_long(self):
        lines = {f"src/{i}.hpp": "\n" for i in range(9)}
        self.assertEqual(self.offences({**lines, "src/rows_x.cpp": "\n" * 601}), [])

    def test_the_median_is_held(self):
        self.assert_one({"a.cpp": "\n" * 151}, "half of the C++ files", "151")

    def test_a_drawer_is_refused_as_folder_and_as_file(self):
        self.assert_one({"src/util/x.hpp": ""}, "`util`")
        self.assert_one({"src/string_helpers.hpp": ""}, "`string_helpers.hpp`")
        self.assert_one({"src/plan_impl_2.hpp": ""}, "`plan_impl_2.hpp`")

    def test_a_word_that_only_holds_a_drawers_name_passes(self):
        self.assertEqual(self.offences({"src/database.hpp": "", "src/miscount.hpp": ""}), [])

    def test_a_download_address_is_refused(self):
        address = "https://" + "example.org/a/b-1.0.tar.gz"
        self.assert_one({"get.sh": f"echo\ncurl {address}\n"}, "get.sh:2:", address)

    def test_a_registry_option_is_refused(self):
        self.assert_one({"get.sh": "pip install --index" + "-url x"}, "-url")
        self.assert_one({"get.sh": "npm i --regist" + "ry=x"}, "--regist")

    def test_other_addresses_pass(self):
        self.assertEqual(self.offences({"a.md": "see https://example.org/licences/LICENSE-2.0 for more"}), [])

    def test_a_leftover_is_refused(self):
        self.assert_one({"a.py": "# TO" + "DO later"}, "a.py:1:")

    def test_binary_files_are_not_read_as_text(self):
        self.assertEqual(self.offences({"a.png": b"\0TO" + b"DO "}), [])

    def test_a_document_may_name_only_files_that_exist(self):
        self.assert_one({"ARCHITECTURE.md": "see\n`src/gone.cpp`"}, "ARCHITECTURE.md:2:", "`src/gone.cpp`")
        self.assert_one({"README.md": "[here](docs/gone.md)"}, "docs/gone.md")
        self.assertEqual(self.offences({"ARCHITECTURE.md": "`src/a.md` `src/` `src/*.md` [a](src/a.md)", "src/a.md": ""}), [])

    def test_code_and_built_files_are_no_references(self):
        self.assertEqual(self.offences({"README.md": "`Result<T>` `build/release/bin/surefoot` `session.infer()` `/usr/lib/x.md`"}), [])

    def test_a_source_that_no_list_names_is_refused(self):
        files = {"src/plan/CMakeLists.txt": "part(plan.cpp)", "src/plan/plan.cpp": "", "src/plan/deep/new.cpp": ""}
        self.assert_one(files, "src/plan/deep/new.cpp", "CMakeLists.txt")

    def test_a_name_inside_a_longer_one_does_not_count_as_listed(self):
        files = {"src/plan/CMakeLists.txt": "part(my_plan.cpp deep/plan.cpp)", "src/plan/my_plan.cpp": "", "src/plan/plan.cpp": ""}
        self.assert_one(files, "src/plan/plan.cpp")

    def test_a_source_may_be_named_by_its_path_in_another_list(self):
        files = {
            "apps/CMakeLists.txt": "part()",
            "apps/x_test.cpp": "",
            "tests/CMakeLists.txt": 'tests("${PROJECT_SOURCE_DIR}/apps/x_test.cpp")',
        }
        self.assertEqual(self.offences(files), [])


if __name__ == "__main__":
    unittest.main()
