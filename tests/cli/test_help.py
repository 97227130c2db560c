"""`help` at the prompt: every command is there, and every example runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fibprover.base.errors import FibproverError, UnknownName
from fibprover.frontends.cli.help import answered, help_text
from fibprover.frontends.conversation.topics import EXAMPLES, GROUPS, TOPICS
from fibprover.language.commands import WORDS
from fibprover.words.catalogue import ENTRIES
from fibprover.workspace.session import Session
from website import commands

DOCS = Path(__file__).resolve().parents[2] / "docs"

#: What cannot be shown in a session of its own: files that are not there, the terminal, the end.
WITHOUT = {"load", "transduce", "help", "cls", "clear", "quit", "exit"}


def untimed(text: str) -> str:
    """The text without the seconds in it."""
    return re.sub(r"[0-9]+\.[0-9]{3} s", "(time)", text)


def test_every_command_is_in_a_group() -> None:
    assert sorted(word for words in GROUPS.values() for word in words) == sorted(WORDS)
    overview = help_text([])
    assert all(f" {word}" in overview for word in WORDS)


def test_every_command_has_an_example() -> None:
    assert {*WORDS, *TOPICS} - set(EXAMPLES) == WITHOUT
    assert set(EXAMPLES) <= {*WORDS, *TOPICS}


#: Examples that take seconds: a system with a large addition.
SLOW = {"dumont_thomas"}


@pytest.mark.parametrize(
    "topic", [pytest.param(topic, marks=pytest.mark.long) if topic in SLOW else topic for topic in EXAMPLES])
def test_examples(topic: str) -> None:
    """Each entry is answered, and the example is about the command that it stands at."""
    said = answered(EXAMPLES[topic])
    for entry, text in said:
        assert text, entry
        assert "rror" not in text and "FALSE" not in text and "empty" not in text, entry
    if topic in WORDS:
        assert any(entry.startswith(topic.rstrip("]")) for entry, _ in said)
    assert help_text([topic]).count("\n  > ") == len(said)


@pytest.mark.parametrize("topic", sorted(WITHOUT))
def test_the_others_say_how_they_are_written(topic: str) -> None:
    assert help_text([topic]).startswith(WORDS[topic].usage)


def test_words() -> None:
    assert "Thue-Morse" in help_text(["T"])
    assert all(entry.title in help_text([name]) for name, entry in ENTRIES.items())


def test_metacommands_with_and_without_brackets() -> None:
    assert untimed(help_text(["strategy"])) == untimed(help_text(["[strategy]"]))
    assert help_text(["draw"]) == help_text(["export"]) != help_text(["[export]"])


def test_unknown() -> None:
    with pytest.raises(UnknownName, match="no help on unoin") as caught:
        help_text(["unoin"])
    assert caught.value.hint == "did you mean union?"


def test_systems_and_names() -> None:
    session = Session()
    session.macro("m", "%0=1")
    session.run('def even "Ey n=2*y"; word X[n] = T[n];')
    assert help_text(["msd_fib"]).startswith("msd_fib: greedy")
    assert help_text(["?lsd_2"], session).startswith("lsd_2")
    assert help_text(["even"], session).startswith("predicate even: Ey n=2*y")
    assert help_text(["X"], session).startswith("word X")
    assert help_text(["m"], session) == 'macro m "%0=1"'
    assert session.help("msd_fib") == help_text(["msd_fib"])
    with pytest.raises(FibproverError) as unknown:
        help_text(["msd_fob"])
    assert "msd_fib" in unknown.value.hint
    with pytest.raises(UnknownName) as caught:
        help_text(["xyzzy"])
    assert caught.value.hint == "`help` alone lists the commands and topics"


def test_examples_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert help_text(["export"]).endswith("> export T TXT;\n  export T: T.txt")
    help_text(["[export]"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("page", [DOCS / "prompt.md", DOCS / "commands.md"], ids=lambda page: page.name)
def test_the_pages_show_what_was_answered(page: Path) -> None:
    """Blocks with entries behind `fibprover> ` (further lines behind `"> ` and the like)."""
    blocks = re.findall(r"^```text\n(fibprover> .*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        shown = re.split(r"^fibprover> ", block, flags=re.MULTILINE)[1:]
        parts = [re.split(r"\n(?!       [\";)]> )", each, maxsplit=1) for each in shown]
        entries_shown = [re.sub(r"\n       [\";)]> ", " ", entry) for entry, _ in parts]
        answers = [text for _, text in answered("\n".join(entries_shown))]
        assert [untimed(text) for _, text in parts] == [untimed(f"{text}\n") for text in answers]


def test_the_page_of_all_commands_is_up_to_date() -> None:
    """`python website/commands.py` writes it anew."""
    assert untimed((DOCS / "commands.md").read_text()) == untimed(commands.page())
