"""The table of commands: the function that carries out each command of a script.

The usage of each command is in `fibprover.language.commands.WORDS`. A new command needs a usage there, a function in
this package, a line in this table, a line in `Session`, which makes it a method, and a group and an example in
`fibprover.frontends.conversation.topics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fibprover.workspace.commands import files, languages, questions, recursions, words

#: The functions by the words of their commands. Each takes the session and the arguments as the script reader returns
#: them. `eval` and `def` belong to the session itself; `cls`, `clear`, `quit` and `exit` only concern the prompt.
COMMANDS: Mapping[str, Callable[..., object]] = {
    "reg": languages.reg,
    "macro": words.macro,
    "solve": recursions.solve,
    "union": languages.union,
    "intersect": languages.intersect,
    "concat": languages.concat,
    "star": languages.star,
    "leftquo": languages.leftquo,
    "rightquo": languages.rightquo,
    "fixleadzero": languages.fixleadzero,
    "fixtrailzero": languages.fixtrailzero,
    "alphabet": languages.alphabet,
    "reverse": languages.reverse,
    "minimize": languages.minimize,
    "convert": languages.convert,
    "combine": words.combine,
    "join": words.join,
    "split": words.split,
    "rsplit": words.rsplit,
    "word": words.define_word,
    "morphism": words.morphism,
    "promote": words.promote,
    "image": words.image,
    "transduce": words.transduce,
    "inf": questions.inf,
    "test": questions.test,
    "first": questions.first,
    "first_rej": questions.first_rej,
    "count": questions.count,
    "regex": questions.regex,
    "describe": questions.describe,
    "export": files.export,
    "ost": words.ost,
    "dumont_thomas": words.dumont_thomas,
    "family": words.family,
    "slope": words.slope,
    "load": files.load,
    "help": questions.help,
}
