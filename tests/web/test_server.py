"""The server of `fibprover web`: cells, Stop, questions, the files that it gives and those that it does not."""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from fibprover.base.limits import Limits
from fibprover.frontends.web.guard import App
from fibprover.frontends.web.process import STOPPED, CellProcess
from fibprover.frontends.web.saved import FILE, MOST
from tests.web.asking import TOKEN, Answered, asked
from tests.web.conftest import cells

#: A formula that takes for ever, or all memory.
ENDLESS = "?msd_fib Ex,y,z,w 1234567*x+7654321*y=1001001*z+99999*w & z>x & x>y & w>x"

#: What cannot be interrupted, as Python that never returns to its interpreter.
UNINTERRUPTIBLE = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"

#: A name that would be carried out, were it HTML.
HOSTILE = "<img src=x onerror=alert(1)>"


def do(app: App, method: str, path: str, body: object = None, **given: Any) -> Answered:
    return asyncio.run(asked(app, method, f"/{TOKEN}/{path}", body, **given))


def run(app: App, text: str, kind: str = "commands") -> list[dict[str, Any]]:
    """Runs a cell; the events but for those of progress."""
    events = do(app, "POST", "run", {"kind": kind, "text": text}).events
    assert events[0] == {"kind": "begun"} and events[-1]["kind"] == "done"
    return [event for event in events[1:] if event["kind"] != "progress"]


def ask(app: App, question: str, **arguments: Any) -> Any:
    return do(app, "POST", "ask", {"question": question, "arguments": arguments}).value


# -- cells -----------------------------------------------------------------------------------------------


def test_cells_are_answered_in_one_session(app: App) -> None:
    made, done = run(app, 'def doubled "Ey n=2*y";')
    assert done == {"kind": "done", "good": True}
    assert made["figure"]["names"] == ["n"] and made["figure"]["states"] == 2
    verdict, _ = run(app, "An $doubled(2*n)")
    assert verdict["text"] == "TRUE" and "figure" not in verdict
    problem, done = run(app, "An $doubled(2*n) & n<<3")
    assert problem["kind"] == "error" and "An $doubled(2*n) & n<<3"[problem["start"] : problem["end"]] == "<"
    assert done["good"] is False


def test_what_is_no_cell_is_refused(app: App) -> None:
    bodies: list[object] = [{}, [], {"kind": "shell", "text": "ls"}, {"kind": "commands", "text": 3}, None]
    for body in bodies:
        assert do(app, "POST", "run", body).status == 400
    assert do(app, "POST", "run", raw=[b"{" * 100_000]).status == 400
    assert do(app, "GET", "run").status == 405


def stopped(
    app: App, process: CellProcess, kind: str, text: str, sign: Path | None = None
) -> tuple[list[dict[str, Any]], float]:
    """Runs a cell, and stops it when it has begun to work; the events, and the seconds from Stop to the end.

    sign: a file that says that the cell has begun.
    """

    async def both() -> tuple[Answered, float]:
        running = asyncio.create_task(asked(app, "POST", f"/{TOKEN}/run", {"kind": kind, "text": text}))
        while not process.is_busy or (sign is not None and not sign.exists()):
            await asyncio.sleep(0.01)
        busy = await asked(app, "POST", f"/{TOKEN}/ask", {"question": "complete", "arguments": {}})
        assert busy.value["busy"]
        begun = time.monotonic()
        assert (await asked(app, "POST", f"/{TOKEN}/stop", {})).status == 200
        return await running, time.monotonic() - begun

    answer, seconds = asyncio.run(both())
    return answer.events, seconds


def test_stop_ends_a_formula_that_does_not_end_and_keeps_the_names(app: App, process: CellProcess) -> None:
    run(app, 'def kept "n>3";')
    events, _ = stopped(app, process, "commands", ENDLESS)
    assert "stopped" in events[-1]["error"] and not events[-1].get("lost")
    assert run(app, "$kept(4)")[0]["text"] == "TRUE"


def test_stop_before_a_cell_has_begun_keeps_the_names(app: App, process: CellProcess) -> None:
    run(app, 'def kept "n>3";')
    stop = Event()
    stop.set()
    assert process.run("commands", ENDLESS, lambda event: None, stop) == {"error": STOPPED}
    assert run(app, "$kept(4)")[0]["text"] == "TRUE"


@pytest.mark.long
def test_stop_kills_what_cannot_be_interrupted(app: App, process: CellProcess, folder: Path) -> None:
    run(app, 'def lost "n>5";', "commands")
    (folder / "Automata Library" / "lost.txt").unlink()
    sign = folder.parent / "sign"
    text = UNINTERRUPTIBLE.replace("while", f"open({str(sign)!r}, 'w').close()\nwhile")
    events, seconds = stopped(app, process, "python", text, sign)
    assert events[-1]["lost"] and "stopped" in events[-1]["error"] and seconds < 20
    assert run(app, "Ax x=x")[0]["text"] == "TRUE"  # in a new process
    assert "error" in run(app, "$lost(4)")[0]["kind"]


@pytest.mark.long
def test_a_budget_kills_what_cannot_be_interrupted(folder: Path) -> None:
    limits = Limits(seconds=1.0)
    process = CellProcess(partial(cells, str(folder), limits, True), limits)
    try:
        ended = process.run("python", UNINTERRUPTIBLE.replace("SIGINT", "SIGALRM"), lambda event: None, Event())
        assert ended["lost"] and "1 s" in ended["error"]
    finally:
        process.close()


@pytest.mark.long
def test_a_process_that_dies_is_begun_anew(app: App) -> None:
    (done,) = run(app, "import os\nos._exit(7)", "python")
    assert done["lost"] and "7" in done["error"]
    assert run(app, "Ax x=x")[0]["text"] == "TRUE"


def test_a_page_that_goes_away_stops_its_cell(app: App, process: CellProcess) -> None:
    async def left() -> None:
        gone = asyncio.Event()
        body = {"kind": "commands", "text": ENDLESS}
        running = asyncio.create_task(asked(app, "POST", f"/{TOKEN}/run", body, gone=gone))
        while not process.is_busy:
            await asyncio.sleep(0.01)
        gone.set()
        await running
        body = {"kind": "commands", "text": "Ax x=x"}
        assert "TRUE" in (await asked(app, "POST", f"/{TOKEN}/run", body)).body.decode()

    asyncio.run(left())


def test_cells_of_two_pages_take_turns(app: App) -> None:
    async def both() -> list[Answered]:
        texts = ("import time\ntime.sleep(0.1)\n's' + 'low'", "'qu' + 'ick'")
        bodies = [{"kind": "python", "text": cell} for cell in texts]
        return await asyncio.gather(*(asked(app, "POST", f"/{TOKEN}/run", body) for body in bodies))

    slow, quick = asyncio.run(both())
    assert [event["text"] for event in slow.events if event["kind"] == "answer"] == ["'slow'"]
    assert [event["text"] for event in quick.events if event["kind"] == "answer"] == ["'quick'"]


def test_questions_wait_for_each_other(app: App) -> None:
    number = run(app, "?msd_fib x=2*y")[0]["figure"]["id"]

    async def several() -> list[Answered]:
        body = {"question": "represent", "arguments": {"id": number, "values": ["4", "2"]}}
        return await asyncio.gather(*(asked(app, "POST", f"/{TOKEN}/ask", body) for _ in range(3)))

    assert [answer.value for answer in asyncio.run(several())] == [{"words": [[1, 0, 1], [0, 1, 0]]}] * 3


# -- files -----------------------------------------------------------------------------------------------


def test_the_page_loads_what_it_names(app: App) -> None:
    page = do(app, "GET", "", origin=None)
    assert page.headers["content-type"].startswith("text/html") and b"%%" not in page.body
    assert b"onclick" not in page.body and page.body.count(b"<script") == 3
    for name in ("page.js", "shared.js", "page.css", "codemirror.js", "theme.js"):
        assert do(app, "GET", f"assets/{name}").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "assets/../cells.py", "assets/..%2fcells.py", "assets/%2e%2e/cells.py", "assets//etc/passwd",
        "assets/page.html", "../cells.py", "..\\cells.py", "assets/page.js/", "assets/", f"cells/../{FILE}",
        "etc/passwd", "assets/page.js\0", "assets/./page.js",
    ],
)
def test_no_path_leads_to_another_file(app: App, path: str) -> None:
    assert do(app, "GET", path).status == 404


def test_commands_reach_files_of_the_folder_only(app: App, folder: Path) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text('def outside "n>5";')
    for path in ("../outside.txt", str(outside)):
        for command in (f"load {path};", f"%study {path}", f'%study "{path}"', f"%board {path}", f"%showme {path}"):
            (problem, _) = run(app, command)
            assert problem["kind"] == "error" and "n>5" not in problem["text"]
    assert run(app, 'def inside "n>5";')[-1]["good"]
    assert (folder / "Automata Library" / "inside.txt").is_file()


def test_cells_are_kept_in_the_folder(app: App, folder: Path) -> None:
    kept = [{"kind": "commands", "text": "Ax x=x"}, {"kind": "python", "text": "1+1 # ∀"}]
    assert do(app, "PUT", "cells", {"cells": [each | {"other": 1} for each in kept]}).value == {
        "kept": True, "cells": kept,
    }
    assert do(app, "GET", "cells").value == {"kept": True, "cells": kept}
    assert sorted(json.loads((folder / FILE).read_text())["cells"][0]) == ["kind", "text"]
    for bad in (3, [3], [{"kind": "x", "text": ""}], [{"kind": "python"}]):
        assert do(app, "PUT", "cells", {"cells": bad}).status == 400
    assert do(app, "PUT", "cells", {}).status == 400
    assert do(app, "GET", "cells").value["cells"] == kept
    (folder / FILE).write_text("[[[")
    assert "does not hold cells" in do(app, "GET", "cells").value["error"]


def test_two_pages_on_one_folder_lose_no_cells(app: App, folder: Path) -> None:
    first, second, third = ({"kind": "commands", "text": text} for text in ("1=1", "2=2", "3=3"))
    do(app, "PUT", "cells", {"cells": [first]})
    do(app, "PUT", "cells", {"cells": [first, second], "before": [first]})
    merged = do(app, "PUT", "cells", {"cells": [third, first], "before": [first]}).value
    assert merged == {"kept": True, "cells": [third, first, second]} == do(app, "GET", "cells").value
    assert do(app, "PUT", "cells", {"cells": [first], "before": "no cells"}).status == 400
    assert do(app, "GET", "cells").value == merged


def test_cells_that_cannot_be_read_are_not_overwritten(app: App, folder: Path) -> None:
    written = '{"cells": [{"kind": "commands", "text": "mended by hand"},]}'
    (folder / FILE).write_text(written)
    found = do(app, "PUT", "cells", {"cells": [{"kind": "commands", "text": "1=1"}], "before": []}).value
    assert not found["kept"] and "does not hold cells" in found["error"]
    assert (folder / FILE).read_text() == written


def test_two_pages_keep_no_more_than_is_read_again(app: App, folder: Path) -> None:
    (folder / FILE).unlink()
    large = [{"kind": "commands", "text": letter * (MOST // 2)} for letter in "ab"]
    assert do(app, "PUT", "cells", {"cells": large[:1], "before": []}).value["kept"]
    assert "at most" in do(app, "PUT", "cells", {"cells": large[1:], "before": []}).value["error"]
    assert do(app, "GET", "cells").value == {"kept": True, "cells": large[:1]}
    changed = [large[0] | {"text": large[0]["text"] + "b" * (MOST // 2 - 100)}]  # a request with both of them
    assert do(app, "PUT", "cells", {"cells": changed, "before": large[:1]}).value == {"kept": True, "cells": changed}
    assert do(app, "PUT", "cells", {"cells": large[:1], "before": changed}).value == {"kept": True, "cells": large[:1]}
    (folder / FILE).unlink()


def test_a_link_in_place_of_the_kept_cells_is_replaced(app: App, folder: Path) -> None:
    victim = folder.parent / "victim.txt"
    victim.write_text("mine")
    (folder / FILE).unlink(missing_ok=True)
    (folder / FILE).symlink_to(victim)
    assert do(app, "PUT", "cells", {"cells": []}).value == {"kept": True, "cells": []}
    assert victim.read_text() == "mine" and not (folder / FILE).is_symlink()


# -- names that are HTML ---------------------------------------------------------------------------------


def test_texts_of_users_are_never_html(app: App) -> None:
    hostile = (
        ("commands", f"Ax x={HOSTILE}"), ("commands", f'def a "{HOSTILE}";'), ("commands", f"%showme {HOSTILE}"),
        ("commands", f'def {HOSTILE} "x=1";'), ("commands", f"$a{HOSTILE}"), ("commands", f"help {HOSTILE};"),
        ("python", f"print({HOSTILE!r})"), ("python", f"raise ValueError({HOSTILE!r})"), ("python", repr(HOSTILE)),
        ("python", "fp.Session().relation('x=1 # <img src=x onerror=alert(1)>')"),
    )
    for kind, text in hostile:
        shown = [event["html"] for event in run(app, text, kind) if "html" in event]
        assert shown and not any("<img src=x" in html for html in shown)
    found = ask(app, "open", name=f"{HOSTILE}.txt", text="msd_2\n0 1\n0 -> 0\n1 -> 0\n")
    assert "cannot be the name" in found["error"]


# -- questions -------------------------------------------------------------------------------------------


def test_questions_are_those_of_a_list(app: App) -> None:
    assert "no question" in ask(app, "run", kind="python", cell="1")["error"]
    assert "no question" in ask(app, "__init__")["error"]
    assert "not well formed" in ask(app, "complete", cell=3, cursor="x")["error"]
    assert "not well formed" in ask(app, "complete", nothing=1)["error"]
    assert do(app, "POST", "ask", {"question": 3}).status == 400


def test_a_forgotten_answer_is_said(app: App) -> None:
    assert "forgotten" in ask(app, "members", id=10**9)["error"]
