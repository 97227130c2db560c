"""What a cell is answered: a text for terminals, HTML for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from fibprover.cli.run import NOTHING, answer_text
from fibprover.cli.vacuity import Shown as Warned
from fibprover.errors import BudgetSpent
from fibprover.evaluate.trace import Trace
from fibprover.notebook.cells import Formula, Part
from fibprover.parse.commands import EvalCommand, title
from fibprover.session import Session
from fibprover.show.markup import bold, card, folded, preformatted, quiet
from fibprover.show.relation import relation_html, tuples
from fibprover.show.text import relation_head, text_of
from fibprover.show.trace import trace_html
from fibprover.show.verdict import verdict_html
from fibprover.show.word import word_html, word_text
from fibprover.shown import Shown
from fibprover.values import value
from fibprover.verdict.relation import Relation
from fibprover.verdict.verdict import Verdict
from fibprover.words.automatic import AutomaticWord

#: Tuples of a relation that a text lists.
FIRST = 10


@value
class Answer:
    """The same twice."""

    text: str
    html: str


def answer(part: Part, outcome: object, session: Session) -> Answer:
    """What came of a command or a formula.  Commands that end in `::` show their steps at once."""
    what = part.what
    name = "" if isinstance(what, Formula) else title(what)  # type: ignore[arg-type]
    unfolded = getattr(what, "terminator", "") == "::"
    asked = isinstance(what, EvalCommand | Formula)
    begun = f"{name}: " if name else ""
    match outcome:
        case None:
            nothing = NOTHING.get(name.partition(" ")[0], "")
            said = begun + nothing if nothing else name
            return Answer(said, card(quiet(said)))
        case Verdict():
            return Answer(begun + text_of(outcome, FIRST), verdict_html(outcome, name, unfolded=unfolded))
        case Relation() if asked:
            return Answer(begun + text_of(outcome, FIRST), relation_html(outcome, name, unfolded=unfolded))
        case Relation():
            return Answer(begun + relation_head(outcome), _definition(outcome, name, unfolded))
        case AutomaticWord():
            made = name.partition(" ")[0]
            return Answer(f"{made} {word_text(outcome, session.system)}", word_html(outcome, session.system))
        case Shown():
            return Answer(begun + repr(outcome), outcome._repr_html_())
    text = answer_text(outcome)
    return Answer(f"{name}:\n{text}" if "\n" in text else begun + text, card(bold(name), preformatted(text)))


def _definition(relation: Relation, name: str, unfolded: bool) -> str:
    """A definition: one line, the rest below it on request."""
    head = f"{bold(name)} {escape(relation_head(relation))}"
    return card(folded(head, tuples(relation) + trace_html(relation.trace), unfolded=unfolded))


def said(text: str) -> Answer:
    """A sentence."""
    return Answer(text, card(escape(text)))


def so_far(spent: BudgetSpent) -> Iterator[Answer]:
    """The steps that were finished before a budget ran out, if there are any."""
    records = tuple(spent.trace)
    if records:
        trace = Trace(records, max(record.states for record in records), records[-1].seconds)
        yield Answer(str(trace), card(trace_html(trace)))


def warning(remark: Warned) -> Answer:
    """Something that is suspicious in a formula."""
    text = f"warning: {remark}"
    return Answer(text, card(preformatted(text)))
