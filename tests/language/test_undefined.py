"""Which names a failed command leaves undefined, and which texts mention them."""

from __future__ import annotations

import pytest

from fibprover.base.errors import UnknownName
from fibprover.language.commands import Command, parse_script
from fibprover.language.undefined import UndefinedNames

MACROS = {"app": "$%0(%1)", "inner": "1=1", "outer": "#inner() & 2=2", "pick": "foo", "join": "$%0_eq(x)"}


def command(text: str) -> Command:
    (only,) = parse_script(text)
    return only


def refusal(undefined: UndefinedNames, text: str) -> UnknownName | None:
    """The error of a formula, or of a command if there is a `;`, that mentions an undefined name."""
    try:
        if text.endswith(";"):
            undefined.check(command(text), text, MACROS)
        else:
            undefined.check_formula(text, MACROS)
    except UnknownName as problem:
        return problem
    return None


def refused(undefined: UndefinedNames, text: str) -> str:
    """The undefined name that a text mentions, or nothing."""
    problem = refusal(undefined, text)
    return "" if problem is None else problem.message.partition(" is undefined")[0]


@pytest.mark.parametrize(("formula", "at"), [
    ("#app(foo,0)", "#"), ("1=1 & #app( foo ,0)", "#app"), ("#app(foo,0) & $foo(x)", "foo(x"), ("$#pick()(0)", "#pick"),
    ("#app(f,0) & #app(foo,0)", "#app(foo"), ("#app(#pick(),0)", "#app"), ("$foo(x) & #app(foo", "foo(x"),
    ("#app(f,foo)", ""), ("#outer()", ""), ("#join(foo)", ""), ("#nosuch(foo)", ""),
])
def test_names_that_macros_make(formula: str, at: str) -> None:
    """The place of such a name is that of the call in the formula."""
    problem = refusal(UndefinedNames({"foo": "line 3"}), formula)
    if not at:
        assert problem is None
    else:
        assert problem is not None and problem.message == "foo is undefined because line 3 failed"
        assert formula[problem.start :].startswith(at)


def test_the_macros_that_a_macro_calls_are_mentioned() -> None:
    assert refused(UndefinedNames({"inner": "line 3"}), "1=1 & #outer()") == "inner"
    assert refused(UndefinedNames({"f_eq": "line 3"}), "Ex #join(f)") == "f_eq"


@pytest.mark.parametrize(("text", "names"), [
    ('def\n foo "n=1" garbage;', {"foo"}),
    ("star foo;", set()), ("star foo", set()), ("union foo :", set()), ("star foo $;", {"foo"}),
    ('def foo;', {"foo"}), ("promote foo;", {"foo"}),
    ('then def foo "n=1" garbage;', {"foo", "def"}),
    ('x;then def foo "n=1', {"foo", "def"}),
    ('here then def foo "n=1', {"foo", "then"}),
    ('dfe foo "n=1', {"foo"}),
    ('def a "x=1";  dfe foo "n=1', {"a", "foo"}),
    ("inf foo; draw foo; eval foo", set()),
    ("convert $foo msd_4 bar", {"foo"}),
    ('union foo a b\ndef c "x', {"foo", "c"}),
    ('dumont_thomas foo "0->01', {"foo", "Foo"}), ('dumont_tomas foo "0->01, 1->0";', {"foo", "Foo"}),
    ('solve foo "n=0" $bar "n=1 & $foo(n)" baz "n=2" by n by;', {"foo", "bar", "baz"}),
])
def test_names_in_a_text_that_cannot_be_read(text: str, names: set[str]) -> None:
    undefined = UndefinedNames()
    assert undefined.add_unreadable(text, 0, len(text))
    assert set(undefined.failed) == names


@pytest.mark.parametrize("text", [
    "load x.txt;", "load x.txt and more;", "laod x.txt;", "def a b; laod x.txt;", "Load x.txt;",
])
def test_a_text_that_may_load_a_script(text: str) -> None:
    assert not UndefinedNames().add_unreadable(text, 0, len(text))


@pytest.mark.parametrize(("text", "name"), [
    ('def foo "n=1";', "foo"), ('eval foo "1=1";', ""), ("inf foo;", ""), ('dfe foo "n=1";', "foo"), ("cls;", ""),
    ("convert $foo msd_4 bar;", "foo"), ("word foo[i] = bar[i];", "foo"), ("ost foo [0] [1 2];", "foo"),
    ('Def\nfoo "n=1";', "foo"), ("dfe $ foo;", "foo"), ("fooo 1 2;", ""), ('def "1=1";', ""),
])
def test_the_name_that_a_failed_command_leaves_undefined(text: str, name: str) -> None:
    for before in ("", 'def a "x=1"; '):
        undefined = UndefinedNames()
        assert undefined.add(parse_script(before + text)[-1], before + text)
        assert set(undefined.failed) == {name} - {""}


def test_a_system_of_a_morphism_and_its_word_are_defined_together() -> None:
    text = 'dumont_thomas t "0->01, 1->0";'
    undefined = UndefinedNames()
    undefined.add(command(text), text)
    mentions = {"T[n]=1": "T", "?msd_t n=1": "t", "?lsd_t n=1": "t", "$feq_T(0,1,n)": "T"}
    assert {each: refused(undefined, each) for each in mentions} == mentions
    undefined.defined_by(command(text))
    assert not undefined.failed
    both = UndefinedNames({"T": "line 1"})
    both.defined_by(command(text))
    assert refused(both, "?msd_t T[n]=1") == ""


@pytest.mark.parametrize("text", [
    'morphism h "a->a[b]";', 'dumont_thomas w "a->a[b], b->a";', 'family W "a->a[b] | a->b";',
])
def test_rules_mention_no_names(text: str) -> None:
    assert refused(UndefinedNames({"a": "line 1", "b": "line 1", "ab": "line 1"}), text) == ""


def test_eval_defines_its_name_in_folders_only() -> None:
    text = 'eval foo "1=1";'
    for eval_defines in (False, True):
        undefined = UndefinedNames(eval_defines=eval_defines)
        assert undefined.defined_names(command(text)) == (("foo",) if eval_defines else ())
        undefined.add(command(text), text)
        assert ("foo" in undefined.failed) is eval_defines
        undefined.failed.clear()
        undefined.add_unreadable(text, 0, len(text))
        assert ("foo" in undefined.failed) is eval_defines
        assert refused(UndefinedNames({"foo": "line 3"}, eval_defines=eval_defines), text) == ""


@pytest.mark.parametrize(("text", "said"), [
    ("union foo foo g;", "foo"), ("union foo g h;", ""), ("inf foo;", "foo"), ("test $foo 3;", "foo"),
    ("word G[foo] = T[foo];", ""), ("word G[i] = foo[i];", "foo"), ('word G[i] = "foo[i]";', "foo"), ("help foo;", ""),
    ('def foo foo "foo=1";', ""), ('def g foo "$foo(n)";', "foo"), ('reg g msd_foo "0*";', "foo"),
    ('reg g foo {0,1} "[0,1]*";', "foo"), ('dfe foo "n=1";', ""), ('macro g "x=foo";', ""),
    ("combine C a foo=2;", "foo"), ("describe foo;", "foo"), ("export GV GV;", ""),
])
def test_what_a_command_mentions(text: str, said: str) -> None:
    assert refused(UndefinedNames({"foo": "line 3"}), text) == said


@pytest.mark.parametrize(("text", "said"), [
    ("$foo(x)", "foo"), ("T[x]=@0", "T"), ("?fib Ex x=1", ""), ("?msd_fib $foo(x)", "foo"), ("?own Ex x=1", ""),
    ('def f "?msd_fib n=0";', ""), ('reg f fib "0*1";', ""), ("union f g h;", "g"), ("export g GV;", "g"),
    ("export foo_made GV;", ""), ("$made(0)", ""), ("$msd_foo(0)", "msd_foo"),
])
def test_names_after_a_failure_that_could_have_defined_any(text: str, said: str) -> None:
    undefined = UndefinedNames(all_since="line 3")
    for name in ("made", "foo_made"):
        undefined.remove(name)
    assert refused(undefined, text) == said


def test_a_later_failure_counts_for_all_names_again() -> None:
    undefined = UndefinedNames(all_since="line 3")
    undefined.remove("made")
    undefined.add_all(UndefinedNames({"other": "line 4"}))
    assert not refused(undefined, "$made(0)") and refused(undefined, "$other(0)")
    undefined.add_all(UndefinedNames(all_since="line 5"))
    assert refused(undefined, "$made(0)")
