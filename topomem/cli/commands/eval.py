"""`topomem eval`: how well bundles answer on this repository's own history."""

import click

from topomem.cli.output import say
from topomem.cli.render import answer_with
from topomem.cli.settings import common_options, timeless

_EVERY = 10


@click.command(name="eval")
@click.option("--cases", default=50, show_default=True, metavar="N", help="Questions at most.")
@click.option("--seed", default=7, show_default=True, metavar="N", help="Which commits ask.")
@click.option("--foreign", default="", metavar="PATH", help="Another repository, told apart.")
@common_options
@click.pass_context
def command(context: click.Context, cases: int, seed: int, foreign: str) -> None:
    """Ask commit messages of this history as of their parents, and see what bundles bring.

    Against plain searches and against the tree without history and records; no model judges. Says
    which channels take tokens without bringing right lines.
    """
    from topomem.api.evaluation_documents import evaluation_document, evaluation_lines

    def told(done: int, of: int) -> None:
        if done % _EVERY == 0:
            say(f"topomem: question {done + 1} of {of}")

    said = timeless(context)
    found = said.open().evaluate(cases=cases, seed=seed, foreign=foreign, told=told)
    for note in found.notes:
        say(f"topomem: {note}")
    answer_with(said, lambda: evaluation_document(found), lambda: evaluation_lines(found))
