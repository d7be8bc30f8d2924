"""Tests of check_layers.py: small trees that keep or break one rule each."""

import pathlib
import tempfile
import unittest

from check_layers import check

ROWS = """
constexpr std::array<std::string_view, 2> kDirectMlAliases{"dml", "DML"};
constinit const ProviderSpec kCuda{.name = "cuda",
                                   .ort_name = "CUDAExecutionProvider"};
"""


class Layers(unittest.TestCase):
    def offences(self, **files):
        """What the check says of a tree of these files; `src__plan__plan_cpp` stands for src/plan/plan.cpp."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"src__provider__rows_x_cpp": ROWS, **files}.items():
                stem, suffix = name.rsplit("_", 1)
                path = root / (stem.replace("__", "/") + "." + suffix)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return check(root)

    def assert_one(self, offences, *words):
        self.assertEqual(len(offences), 1, offences)
        for word in words:
            self.assertIn(word, offences[0])

    def test_a_part_may_use_what_lies_below_it(self):
        self.assertEqual(self.offences(src__plan__plan_cpp='#include "ort/api.hpp"\n#include "surefoot/result.hpp"\n'), [])

    def test_a_part_may_not_use_what_lies_above_it(self):
        found = self.offences(src__ort__api_cpp='\n#include "session/chain.hpp"\n')
        self.assert_one(found, "src/ort/api.cpp:2:", "`ort` may not use `session`")

    def test_a_part_may_not_use_its_neighbour(self):
        self.assert_one(self.offences(src__ort__api_cpp='#include "onnx/wire.hpp"'), "`ort` may not use `onnx`")

    def test_a_public_header_of_a_higher_part_is_an_offence_too(self):
        found = self.offences(include__surefoot__tensor_hpp='#include "surefoot/session.hpp"')
        self.assert_one(found, "include/surefoot/tensor.hpp:1:", "`tensor` may not use `session`")

    def test_a_header_named_unlike_its_part_counts_as_its_part(self):
        self.assertEqual(self.offences(src__tensor__value_cpp='#include "surefoot/value.hpp"'), [])

    def test_a_part_without_a_row_is_an_offence(self):
        self.assert_one(self.offences(src__stuff__x_cpp=""), "`stuff` is no part")

    def test_an_include_without_its_part_is_an_offence(self):
        self.assert_one(self.offences(src__plan__plan_cpp='#include "selection.hpp"'), "belongs to no part")

    def test_an_application_may_use_every_part(self):
        self.assertEqual(self.offences(apps__cli__main_cpp='#include "session/chain.hpp"'), [])

    def test_a_part_may_not_use_an_application(self):
        self.assert_one(self.offences(src__session__x_cpp='#include "apps/cli/main.hpp"'), "belongs to no part")

    def test_a_test_may_look_anywhere(self):
        self.assertEqual(self.offences(src__error__error_test_cpp='#include "session/chain.hpp"\nOrtEnv* env;'), [])

    def test_a_header_that_only_tests_include_may_look_anywhere(self):
        header, test = '#include "tests/support/x.hpp"', '#include "runtime/stub.hpp"'
        self.assertEqual(self.offences(src__runtime__stub_hpp=header, src__runtime__elf_test_cpp=test), [])
        found = self.offences(src__runtime__stub_hpp=header, src__runtime__elf_test_cpp=test, src__runtime__elf_cpp=test)
        self.assert_one(found, "src/runtime/stub.hpp:1:", "tests/support/x.hpp")

    def test_a_commented_include_counts_for_nothing(self):
        self.assertEqual(self.offences(src__error__x_cpp='// #include "plan/x.hpp"\n/*\n#include "plan/y.hpp"\n*/'), [])

    def test_ort_types_belong_to_src_ort(self):
        self.assertEqual(self.offences(src__ort__api_cpp="OrtEnv* env;"), [])
        found = self.offences(src__session__x_cpp="int a;\nOrtEnv* env;")
        self.assert_one(found, "src/session/x.cpp:2:", "`OrtEnv` outside src/ort")

    def test_ort_types_are_banned_from_applications(self):
        self.assert_one(self.offences(apps__cli__x_cpp="OrtStatus* s;"), "`OrtStatus`")

    def test_a_public_header_of_src_ort_names_no_ort_type_either(self):
        self.assert_one(self.offences(include__surefoot__log_hpp="OrtLoggingLevel l;"), "in a public header")

    def test_words_and_our_own_names_are_no_ort_types(self):
        text = '// OrtEnv\nauto a = "OrtGetApiBase"; auto b = R"(OrtEnv " here)"; auto c = ModelFormat::OrtFormat; int Order;'
        self.assertEqual(self.offences(src__runtime__x_cpp=text), [])

    def test_a_quote_character_does_not_hide_what_follows(self):
        self.assert_one(self.offences(src__plan__x_cpp="char a = '\"'; OrtEnv* e; char b = '\"'; int n = 1'000;"), "`OrtEnv`")

    def test_the_entry_point_and_library_opening_belong_to_src_ort(self):
        found = self.offences(src__runtime__x_cpp="auto* f = &OrtGetApiBase;\nvoid* h = dlopen(p, 0);\ndlsym(h, n);")
        self.assertEqual([line.split(":")[1] for line in found], ["1", "2", "3"])

    def test_a_short_provider_name_is_compared_only_in_its_part(self):
        self.assertEqual(self.offences(src__provider__x_cpp='if (name == "cuda") {}'), [])
        self.assert_one(self.offences(src__plan__x_cpp='if (name == "cuda") {}'), "src/plan/x.cpp:1:", '== "cuda"')

    def test_an_ort_name_and_an_alias_are_provider_names(self):
        self.assert_one(self.offences(src__session__x_cpp='a = n != "CUDAExecutionProvider"sv;'), "CUDAExecutionProvider")
        self.assert_one(self.offences(apps__cli__x_cpp='a = "dml" == n;'), '"dml"')

    def test_other_literals_may_be_compared(self):
        self.assertEqual(self.offences(src__plan__x_cpp='if (key == "cudax" || word == "CUDA graphs") {}'), [])


if __name__ == "__main__":
    unittest.main()
