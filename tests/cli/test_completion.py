"""What the Tab key offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from fibprover.frontends.conversation.completion import candidates, systems
from fibprover.workspace.session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.define("even", "Ey n=2*y")
    made.define("evil", "T[n]=@0")
    made.macro("between", "%0<%1 & %1<%2")
    made.morphism("thue", "0->01 1->10")
    made.define_morphic_word("Tau", [[0, 1], [0, 0]], [0, 1], "msd_2")
    made.define_morphic_word("Evil", [[0, 1], [0, 0]], [0, 1], "msd_2")
    made.ost("root3", [0, 1], [1, 2])
    return made


@pytest.mark.parametrize(
    ("before", "text", "found"),
    [
        # the beginning of an entry
        ("", "un", ["union "]), ("", "qu", ["quit"]), ("", "$e", ["$even(", "$evil("]), ("", "#b", ["#between("]),
        ("", "?msd_fi", ["?msd_fib "]), ("", "?msd_ro", ["?msd_root3 "]), ("", ".Ta", [".Tau["]), ("", "zzz", []),
        ('def a "x=1"; ', "sta", ["star "]), ("# remark\n", "sta", ["star "]),
        # formulas, bare and quoted
        ("x=1 & ", "Ta", ["Tau["]), ("x=1 & ", "un", []), ("Ax ", "2/Ta", ["2/Tau["]), ("Ax ", "n-Ta", ["n-Tau["]),
        ('eval t "', "$ev", ["$even(", "$evil("]), ('eval t "x=1 & ', "?lsd_fi", ["?lsd_fib "]),
        ('eval "#mine(', "VT", ["VTM["]),
        ('def a "x=1";\neval t "', "#be", ["#between("]),
        # a name that begins like a quantifier
        ("x=1 & ", ".Ev", [".Evil["]), ("x=1 & ", "Ev", []), ("word X[n] = ", "Ev", []), ("describe ", "Ev", ["Evil "]),
        # arguments
        ("eval ", "e", []), ("inf ", "e", ["even ", "evil "]), ("inf even ", "e", []), ("union ", "e", []),
        ("union c ", "e", ["even ", "evil "]), ("union c even ", "e", ["even ", "evil "]),
        ("combine C even=2 ", "ev", ["even ", "evil "]),
        ("describe ", "$ev", ["$even ", "$evil "]), ("describe ", "Ta", ["Tau "]),
        ("export $even ", "", ["BA", "GV", "JSON", "M", "MPL", "SAGE", "TXT", "WL"]),
        ("convert T4 ", "msd_tr", ["msd_trib "]), ("convert T4 msd_4 ", "Ta", ["Tau "]),
        ("convert T4 msd_4 Tau ", "$ev", ["$even ", "$evil "]),
        ("reg a ", "lsd_pe", ["lsd_pell "]), ("reg a msd_2 ", "lsd_pe", ["lsd_pell "]), ('reg a msd_2 "', "ms", []),
        ("promote X ", "", ["thue "]), ("image X thue ", "Ta", ["Tau "]), ("transduce X ", "", []),
        ("word X[n] = ", "Ta", ["Tau["]),
        ("join J Tau[i] ", "Ta", ["Tau "]), ("help ", "uni", ["union"]), ("help ", "form", ["formulas"]),
        ("help ", "[s", ["[strategy]"]),
        ('solve R "n=0 | $R(n-1)" ', "b", ["by "]), ("solve ", "e", []), ('solve R "', "$ev", ["$even(", "$evil("]),
        # predicates of words
        ("", "$bo", ["$border_"]), ("x=1 & ", "$border_Ta", ["$border_Tau("]), ("inf ", "feq_RS", ["feq_RS "]),
        ("describe ", "$per_HC", ["$per_HC "]), ("", "first_r", ["first_rej "]), ("", "$pal_pas", []),
        ("nothing ", "e", []),
    ],
)  # fmt: skip
def test_candidates(session: Session, before: str, text: str, found: list[str]) -> None:
    assert candidates(before, text, session) == found


def test_everything_offered_begins_like_the_word(session: Session) -> None:
    for before in ("", "x=1 & ", "union c ", "describe ", "convert X ", "help ", 'eval "'):
        for text in ("", "T", "$", "?l", "a"):
            offered = candidates(before, text, session)
            assert all(word.startswith(text) for word in offered)
            assert len(set(offered)) == len(offered)


def test_systems_exist(session: Session) -> None:
    for name in systems(session):
        assert session.namespace.system(name).name == name


def test_files(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file.txt").write_text("")
    (tmp_path / "fibonacci.txt").write_text("")
    (tmp_path / ".hidden").write_text("")
    assert candidates("load ", "f", session) == ["fibonacci.txt", "folder/"]
    assert candidates("load ", "", session) == ["fibonacci.txt", "folder/"]
    assert candidates("load ", ".h", session) == [".hidden"]
    assert candidates("load ", "folder/", session) == ["folder/file.txt"]
    assert candidates("load ", "nowhere/", session) == []
