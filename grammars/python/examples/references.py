"""References in every place a name may stand."""

import os.path as where, sys
#      ^^^^^^^ ref os.path
#                 ^^^^^ ref where
from ..package import thing as other, more
#    ^^^^^^^^^ ref ..package
#                     ^^^^^ ref thing
#                              ^^^^^ ref other
from . import *

__all__ = ["run"] + where.names
#          ^^^^^ ref run
#                         ^^^^^ ref names


def run(first, /, second: Kind = DEFAULT, *rest, only, **more) -> "Reply[int]":
#       ^^^^^ ref first
#                         ^^^^ ref Kind
#                                ^^^^^^^ ref DEFAULT
#                                                ^^^^ ref only
#                                                                 ^^^^^^^^^^^^ ref Reply[int]
    global counter
#          ^^^^^^^ ref counter
    counter += first.step(second, *rest, key=only, **more)
#                    ^^^^ ref step
#                                        ^^^ ref key
    table = {"name": run, **other}
#            ^^^^^^ ref name
    if (found := table["name"]) or counter:
#       ^^^^^ ref found
        yield from (item.part for item in found if item)
#                        ^^^^ ref part
    try:
        with other.lock() as held, open(sys.argv[0]):
#                            ^^^^ ref held
            raise Problem(held) from None
#                 ^^^^^^^ ref Problem
    except (KeyError, where.Error) as error:
#                           ^^^^^ ref Error
        print(f"{error!r:>{counter}}")
#                          ^^^^^^^ ref counter
    match first:
        case Shape(size=width) if width:
#            ^^^^^ ref Shape
#                       ^^^^^ ref width
            return lambda x, *y: x(width)
#                                ^ ref x
        case Colour.RED | [_, *rest]:
#                   ^^^ ref RED
            del table[first]
    return second if only else rest
