"""names.py finds types that two files define, and nothing else."""
import unittest

from names import duplicates


class Names(unittest.TestCase):
    def named(self, *files):
        return list(duplicates(dict(enumerate(files))))

    def test_types_of_one_name_in_one_namespace(self):
        for one, other in [("struct A { int x; };", "class alignas(32) A { };"),
                           ("enum class A : int { one };", "union A {};"),
                           ("struct A final : B<C> {};", "template <class T>\nclass [[nodiscard]] A {};"),
                           ("/* { */ struct A {}; // {", "const char* c = \"}{\"; char d = '{'; struct A {};")]:
            self.assertEqual(self.named(f"namespace n {{ {one} }}", f"namespace n {{\n{other}\n}}"), ["n::A"], (one, other))
        self.assertEqual(self.named("namespace n::m { struct A {}; }", "namespace n { namespace m { struct A {}; } }"),
                         ["n::m::A"])
        self.assertEqual(self.named("struct A {};", "struct A {};"), ["::A"])

    def test_types_that_are_each_their_own(self):
        for one, other in [("namespace n { struct A {}; }", "namespace m { struct A {}; }"),
                           ("namespace n { namespace { struct A {}; } }", "namespace n { struct A {}; }"),
                           ("namespace n { class B { struct A {}; }; }", "namespace n { class C { struct A {}; }; }"),
                           ("namespace n { void f() { struct A {}; } }", "namespace n { struct A {}; }"),
                           ("namespace n { struct A {}; }", "namespace n { struct A; struct A f() { return {}; } }"),
                           ("namespace n { struct A {}; }", "namespace n { template <> struct A<int> {}; }"),
                           ("namespace n { struct A {}; }", "// namespace n { struct A {}; }")]:
            self.assertEqual(self.named(one, other), [], (one, other))

    def test_a_type_that_one_file_defines_is_right(self):
        self.assertEqual(self.named("namespace n { struct A {}; }", "namespace n { void f(A a); }"), [])


if __name__ == "__main__":
    unittest.main()
