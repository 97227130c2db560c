"""The parts of a cell, and what they are answered."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from fibprover.base.errors import BudgetSpent, FibproverError, SyntaxProblem, TextError, UnknownName
from fibprover.base.limits import Limits, spending
from fibprover.frontends.display.progress import Watch
from fibprover.frontends.notebook import questions
from fibprover.frontends.notebook.cells import Formula, Magic, parts
from fibprover.frontends.notebook.completion import completion, is_complete, meaning, name_at
from fibprover.frontends.notebook.conversation import Answer, Conversation
from fibprover.language.commands import DefCommand, EvalCommand, MacroCommand
from fibprover.prover.verdict.relation import Relation
from fibprover.workspace.session import Session
from tests.display.html import elements, images, read


@pytest.fixture
def conversation() -> Conversation:
    return Conversation(Session("msd_fib"))


def ask(conversation: Conversation, cell: str) -> list[Answer]:
    return list(conversation.answers(cell, Watch()))


def texts(conversation: Conversation, cell: str) -> list[str]:
    return [answer.text for answer in ask(conversation, cell)]


# -- parts -------------------------------------------------------------------------------------------


def test_parts_in_order() -> None:
    cell = 'def f "x=1"; # a remark\n%showme f limit=3\n// another\neval t "Ax x>=0":\n\n?msd_2 x+y=3; !ls -l\nAx x=x'
    found = [part.what for part in parts(cell)]
    assert [type(each) for each in found] == [DefCommand, Magic, EvalCommand, Formula, Magic, Formula]
    assert isinstance(found[1], Magic)
    assert (found[1].name, found[1].rest) == ("showme", "f limit=3")
    assert isinstance(found[3], Formula)
    assert (found[3].text, found[3].terminator) == ("?msd_2 x+y=3", ";")
    assert isinstance(found[4], Magic)
    assert (found[4].name, found[4].rest) == ("!", "ls -l")
    assert isinstance(found[5], Formula)
    assert (found[5].text, found[5].terminator) == ("Ax x=x", "")


def test_places_are_those_of_the_cell() -> None:
    cell = '%showme f\nAx x=x;\n  eval t "Ex x=1";'
    *_, last = parts(cell)
    assert len(last.script) == len(cell)
    assert isinstance(last.what, EvalCommand)
    begin = last.what.text_offset
    assert cell[begin : begin + 6] == "Ex x=1"
    assert last.what.line == 3


@pytest.mark.parametrize(
    ("cell", "formulas"),
    [
        ("Ax x=x\n%showme T", ["Ax x=x"]),
        ('Ax\n  x=x\ndef f "x=1";', ["Ax\n  x=x"]),
        ("Ex first=x\n | x=1\nhelp;", ["Ex first=x\n | x=1"]),
        ("x=1\n\ny=1 &\nz=2", ["x=1", "y=1 &\nz=2"]),
        ("x=1 |\n#m(x)\n# done\n// really", ["x=1 |\n#m(x)"]),
        ("x=1; y=2::", ["x=1", "y=2"]),
    ],
)
def test_where_a_formula_ends(cell: str, formulas: list[str]) -> None:
    assert [part.what.text for part in parts(cell) if isinstance(part.what, Formula)] == formulas


def test_a_percent_sign_in_a_macro_is_none_of_ours() -> None:
    (part,) = parts('macro m "\n%0 = %1";')
    assert isinstance(part.what, MacroCommand)


@pytest.mark.parametrize("cell", ["", "\n\n", "# only a remark", "// and\n  # two\n"])
def test_nothing(cell: str) -> None:
    assert list(parts(cell)) == []


@pytest.mark.parametrize("cell", ['evl t "Ax x=1";', 'def "', 'eval t "x=1"', "def f;", '"'])
def test_what_is_no_command(cell: str) -> None:
    with pytest.raises(TextError):
        ask(Conversation(Session()), cell)


def test_what_walnut_overlooks_behind_a_terminator(conversation: Conversation) -> None:
    cell = 'def low "x<3"; all numbers below 3\nAx $low(x); which is false\neval t "Ex $low(x)";;\n;'
    assert [text.partition("\n")[0] for text in texts(conversation, cell)[1:]] == ["FALSE", "eval t: TRUE"]
    assert texts(conversation, ";") == []


# -- answers -----------------------------------------------------------------------------------------


def test_answers(conversation: Conversation) -> None:
    found = ask(
        conversation,
        'def low "x<3"; eval t "Ax $low(x)"; eval r "$low(x)"; macro m "%0"; word W[n] = T[n+1]; Ax x=x',
    )
    said = [answer.text.splitlines() for answer in found]
    heads = [lines[0].partition(": ")[0] for lines in said]
    assert heads == ["def low", "eval t", "eval r", "macro m", "word W", "TRUE"]
    assert "FALSE" in said[1][0] and said[1][1].endswith("x = 3")
    assert "finite, 3 states" in said[2][0] and said[2][1].strip() == "0, 1, 2"
    assert said[4][1].strip().startswith("1101")
    for answer in found:
        assert read(answer.html).text
    assert images(found[0].html) == []  # a definition is not drawn
    assert len(images(found[2].html)) == 1
    assert "low" in next(each.text.partition(" ")[2] for each in elements(found[0].html, "span"))


@pytest.mark.parametrize(("end", "unfolded"), [(";", False), (":", False), ("::", True)])
def test_terminators_unfold_the_steps(conversation: Conversation, end: str, unfolded: bool) -> None:
    (answer,) = ask(conversation, f'eval t "Ax,y x+y=y+x"{end}')
    assert ("open" in elements(answer.html, "details")[0].attributes) is unfolded


def test_a_term_is_answered_by_its_value(conversation: Conversation) -> None:
    assert [answer.text for answer in ask(conversation, "T[5]\n\n3+4\n\nx=7")][:2] == ["0", "7"]


def test_other_answers(conversation: Conversation) -> None:
    said = texts(conversation, 'reg b msd_2 "1(0|1)*"; describe b; inf b; def e "x=1"; inf e; help eval; help;')
    assert said[1].startswith("describe b:\npredicate b")
    assert said[2] == "inf b: 1(0)*"
    assert said[4] == "inf e: finitely many words"
    assert said[5].startswith("help eval:\neval NAME")
    assert said[6].startswith("help:\nType a formula")
    assert texts(conversation, "help") == said[6:]


def test_a_script_is_answered_command_by_command(conversation: Conversation, tmp_path: Path) -> None:
    file = tmp_path / "low.txt"
    file.write_text('def low "x<3"; eval t "Ex $low(x)";')
    low, verdict = texts(conversation, f"load {file};")
    assert low.startswith("def low: ") and verdict.startswith("eval t: TRUE")
    assert texts(conversation, "%showme t") == [verdict.removeprefix("eval ")]


def test_quit_ends_the_cell(conversation: Conversation) -> None:
    assert len(ask(conversation, 'eval t "Ex x=1"; quit; eval u "nonsense((";')) == 1


def test_suspicious_formulas_are_remarked_on(conversation: Conversation) -> None:
    remark, verdict = texts(conversation, 'eval t "Ax Ey (x=y => x=5)";')
    assert remark.startswith("warning: ")
    assert verdict == "eval t: TRUE"


def test_names_are_kept_between_cells_and_after_errors(conversation: Conversation) -> None:
    ask(conversation, 'def low "x<3";')
    with pytest.raises(UnknownName):
        ask(conversation, 'def high "x>3"; eval t "Ax $hgh(x)"; def never "x=1";')
    assert texts(conversation, "Ax $low(x) | $high(x) | x=3") == ["TRUE"]
    assert "never" not in conversation.session.namespace.definitions


def test_errors_name_line_and_place(conversation: Conversation) -> None:
    with pytest.raises(UnknownName) as caught:
        ask(conversation, '%showme T\neval t\n  "Ax $nothing(x)";')
    assert str(caught.value).splitlines()[:3] == [
        "line 3: no predicate is called nothing", '    "Ax $nothing(x)";', "        ^^^^^^^^"
    ]


def test_errors_of_a_formula_by_itself(conversation: Conversation) -> None:
    with pytest.raises(SyntaxProblem) as caught:
        ask(conversation, "Ex x>=")
    assert str(caught.value).splitlines()[1:3] == ["  Ex x>=", "      ^^"]


def test_a_spent_budget_shows_what_was_done(conversation: Conversation) -> None:
    conversation.session = Session(limits=Limits(states=40))
    found: list[Answer] = []
    with pytest.raises(BudgetSpent):
        found.extend(conversation.answers('eval t "x<3 & y>5 & 1001*a-999*b=c";', Watch()))
    assert "x<3" in found[-1].text
    assert len(elements(found[-1].html, "tr")) > 1


def test_the_session_is_watched_only_meanwhile(conversation: Conversation) -> None:
    before = conversation.session.options
    watch = Watch()
    for _ in conversation.answers('eval t "Ax,y x+y=y+x";', watch):
        assert watch.title == "eval t"
        assert conversation.session.namespace.budget().gauge is watch.gauge
    assert watch.steps > 0
    assert conversation.session.options == before
    assert conversation.session.namespace.budget().gauge is None


# -- showme ------------------------------------------------------------------------------------------


def test_showme(conversation: Conversation) -> None:
    ask(conversation, 'def low "x<3"; eval r "x>3 & y<x"; eval t "Ex x=4";')
    for name, states in (("low", 3), ("r", None), ("T", 2), ("msd_fib", 2), ("$low(x) & x>1", None)):
        (answer,) = ask(conversation, f"%showme {name}")
        assert answer.text.startswith(f"the automaton {name}: ")
        assert states is None or f" {states} states" in answer.text
        (drawing,) = images(answer.html)
        assert "</svg>" in drawing
    (answer,) = ask(conversation, "%showme t")
    assert answer.text.startswith("t: TRUE") and answer.text.endswith("x = 4")
    assert images(answer.html) == []


def test_showme_draws_the_latest_of_a_name(conversation: Conversation) -> None:
    ask(conversation, 'def r "x<3"; eval r "x<9";')
    (answer,) = ask(conversation, "%showme r")
    assert answer.text != ask(conversation, "%showme $r")[0].text.replace("$", "")
    ask(conversation, 'reg r msd_2 "1*";')
    assert ask(conversation, "%showme r")[0].text.endswith("over x0")


def test_showme_of_too_many_states(conversation: Conversation) -> None:
    ask(conversation, 'def r "a+b=c+d";')
    (answer,) = ask(conversation, "%showme r limit=50")
    assert answer.text == "66 states: not drawn; %showme r limit=66"
    assert images(answer.html) == []
    assert len(images(ask(conversation, "%showme r limit=66")[0].html)) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%showme", "draws the automaton of a name"),
        ("%showme nothing", "unknown word or predicate nothing"),
        ("%showme T limit=0", "'0' is not a number of states"),
        ("%showme T limit=many", "'many' is not a number of states"),
        ("%board", "draws one set of pairs"),
        ("%board x<y; y<x; x=y", "draws one set of pairs"),
        ("%board x<3", "pairs of numbers"),
        ("%board x<y size=0", "at least one square"),
        ("%study", "finds theorems about a word"),
        ("%study F nothing", "nothing"),
        ("%study words.json", "by its name"),
        ('%study ""', "finds theorems about a word"),
        ("%game", "finds the P-positions"),
        ("%game i<<0", "<"),
        ("%shwme T", "unknown magic %shwme"),
        ("%", "unknown magic %"),
    ],
)
def test_magics_that_are_none(conversation: Conversation, line: str, said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        ask(conversation, line)


def test_boards_sheets_and_games(conversation: Conversation) -> None:
    ask(conversation, 'def double "x=2*y";')
    (shown,) = ask(conversation, "%board $double; y=2*x size=12")
    assert len(images(shown.html)) == 1 and "12 columns" in shown.text
    (sheet,) = ask(conversation, "%study F uniformly-recurrent")
    assert "<li" in sheet.html and "→" in sheet.html and "<code" in sheet.html and "->" not in sheet.html
    assert "recurrent" in sheet.text and "proved" in sheet.text
    (sheet,) = ask(conversation, '%study "0->01, 1->0" --only uniformly-recurrent,uniformly-recurrent')
    assert "recurrent" in sheet.text and "proved" in sheet.text
    (theorem,) = ask(conversation, "%game i=0 | j=0")
    assert isinstance(theorem.outcome, Relation) and (5, 5) in theorem.outcome and (5, 6) not in theorem.outcome
    (pairs,) = ask(conversation, '%game i=0 | j=0 terminal="a+b<=2"')
    assert isinstance(pairs.outcome, Relation) and (0, 2) in pairs.outcome


# -- completion --------------------------------------------------------------------------------------


@pytest.fixture
def session() -> Session:
    s = Session("msd_fib")
    s.define("low", "x<3")
    s.define("lower", "x<2")
    s.macro("mac", "%0")
    s.define_morphic_word("Word", [[0, 1], [0]], [0, 1])
    return s


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('eval t "$lo', ["$low(", "$lower("]),
        ('eval t "$lowe', ["$lower("]),
        ('eval t "?msd_f', ["?msd_fib "]),
        ('eval t "#m', ["#mac("]),
        ('%showme low\n eval t "$lowe', ["$lower("]),
        ("%sh", ["%showme"]),
        ("x=1\n  %", ["%showme", "%board", "%study", "%game", "%EQ", "%SGT", "%DT"]),
        ("ev", ["eval "]),
        ('eval t "x=1"; de', ["def ", "describe "]),
        ('eval t "Wo', ["Word["]),
        ("%showme Wo", ["Word "]),
        ("%showme $lowe", ["$lower "]),
        ("%showme lowe", ["lower "]),
        ("%showme msd_tr", ["msd_trib "]),
        ("reg r msd_tr", ["msd_trib "]),
        ('eval t "$nothing', []),
    ],
)
def test_completion(session: Session, before: str, expected: list[str]) -> None:
    found = completion(before + ' & x=1";', len(before), session)
    assert list(found.texts) == expected
    for text in found.texts:
        assert text.startswith(before[found.start :])


@pytest.mark.parametrize(
    ("cell", "complete"),
    [
        ('eval t "x=1";', True), ('eval t "x=1"', False), ('eval t "x=', False), ("Ax x=x", True), ("", True),
        ("%showme T", True), ('def f "x=1";\neval', False), ('macro m "a;b"', False), ("!ls", True), ("help", True),
        ('%showme T\neval t "x=1"', False), ("Ax (x=x", False),
    ],
)
def test_what_is_complete(session: Session, cell: str, complete: bool) -> None:
    assert is_complete(cell, session) is complete


def test_meanings(session: Session) -> None:
    cell = 'eval t "$low(x)";'
    assert name_at(cell, 10) == "low"
    assert name_at("  ", 1) == ""
    assert meaning("low", session) == "$low(x): 3 states\n  x<3"
    assert meaning("Word", session).startswith("Word: over msd_fib")
    assert meaning("T", session).startswith("T: Thue-Morse word")
    assert meaning("mac", session) == "#mac: %0"
    assert meaning("eval", session).startswith("eval NAME")
    assert meaning("nothing", session) == ""


def test_systems_of_substitutions(conversation: Conversation) -> None:
    assert texts(conversation, '%DT blop "a->ab, b->a"') == [
        "msd_blop: the system of a->ab, b->a; Blop: the word of its fixed point"
    ]
    assert texts(conversation, "?msd_blop An Blop[n]=1 => Blop[n+1]=0") == ["TRUE"]
    said = texts(conversation, '%DT other "a->aba, b->b" 30\n?msd_other Ex x>2 & Other[x]=0')
    assert said[1].startswith("TRUE") and said[1].endswith("x = 4")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%DT", "of a substitution"), ("%DT blop a->ab", "of a substitution"),
        ('%DT "a->ab, b->a"', "of a substitution"), ('%DT blop "a->ab, b->a" many', "of a substitution"),
        ('%DT blop "a->ab, b=a"', "expected `->`"), ('%DT blop "a->ba, b->a"', "the image of a has to be a and more"),
        ('%DT 1 "a->ab, b->a"', "not a name"), ('%DT fib "a->aba, b->a"', "already called msd_fib"),
    ],
)
def test_substitutions_that_make_no_system(conversation: Conversation, line: str, said: str) -> None:
    with pytest.raises(FibproverError, match=said):
        ask(conversation, line)


# -- linear representations --------------------------------------------------------------------------


def test_linear_representations_are_compared(conversation: Conversation) -> None:
    ask(conversation, 'eval f n "i<n": eval g n "i+1<=n": eval h n "i<n & n!=4"::')
    assert texts(conversation, "%EQ f g\n%EQ f.mpl h.mpl") == [
        "f and g are equal", "f.mpl and h.mpl differ: at n = 4 they are 4 and 0"
    ]


def test_words_of_linear_representations(conversation: Conversation) -> None:
    ask(conversation, 'eval f n "i<3 & i<n":')
    (said,) = texts(conversation, "%SGT f msd_fib small")
    assert said.startswith("small: over msd_fib, letters 0, 1, 2, 3, ")
    assert "\n  01233333" in said
    assert texts(conversation, "An n>2 => small[n]=3") == ["TRUE"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%EQ f", "compares two"), ("%EQ f nothing", "unknown linear representation nothing"),
        ("%EQ f low", "unknown linear representation low"),
        ("%SGT f msd_fib", "makes a word"), ("%SGT f msd_2 w", "msd_fib, not in msd_2"),
        ("%SGT f msd_fib w w", "makes a word"), ("%SGT f msd_none w", "msd_none"), ("%SGT f msd_fib 1", "not a name"),
    ],
)
def test_linear_representations_that_are_none(conversation: Conversation, line: str, said: str) -> None:
    ask(conversation, 'eval f n "i<3 & i<n": def low "x<3";')
    with pytest.raises(FibproverError, match=said):
        ask(conversation, line)


def test_a_sheet_ends_with_the_budget_of_its_cell(conversation: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is finished is shown: a line that meets the end of the budget is open, and no further one begins."""
    begun: list[str] = []
    clock = time.monotonic

    def notify(name: str) -> None:
        begun.append(name)
        if name == "squares":  # a tenth is left to show what was found
            monkeypatch.setattr("time.monotonic", lambda: clock() + 950)

    with spending(Limits(seconds=1000).start()):
        found = questions.study("F uniformly-recurrent squares cubes", conversation.session, notify)
    monkeypatch.undo()
    assert "squares" in begun and "cubes" not in begun
    assert "The budget is spent: 1 line not reached." in found.text
