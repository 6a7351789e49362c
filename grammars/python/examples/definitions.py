"""Definitions of every kind."""

import enum
from functools import cached_property
from typing import overload

LIMIT = 10
#^^^^^ def LIMIT constant
names: list[str]
#^^^^^ def names variable
first, (second, *rest) = load()
#       ^^^^^^ def second variable
#                ^^^^ def rest variable
type Pair[A] = tuple[A, A]
#    ^^^^ def Pair type_alias

if LIMIT:
    inside = 1
#   ^^^^^^ def inside variable

try:
    import json
except ImportError:
    json = None
#   ^^^^ def json variable


@register("shape")
class Shape(Base, metaclass=Meta):
#     ^^^^^ def Shape class
    sides: int = 0
#   ^^^^^ def Shape.sides field

    def __init__(self, size, *, colour="red"):
#       ^^^^^^^^ def Shape.__init__ constructor
        self.size = size
#            ^^^^ def Shape.size field
        self.low, self.high = 0, size
#                      ^^^^ def Shape.high field
        local = size
#               ^^^^ ref size

    @cached_property
    def area(self):
#       ^^^^ def Shape.area property
        return self.size

    @staticmethod
    def make():
#       ^^^^ def Shape.make method
        def inner(x):
#           ^^^^^ def Shape.make.inner function
            return x.go()
#                    ^^ ref go
        return inner

    class Nested:
#         ^^^^^^ def Shape.Nested class
        pass


class Colour(enum.Enum):
#     ^^^^^^ def Colour enum
    RED = 1
#   ^^^ def Colour.RED enum_member


@overload
def pick(x: int) -> int: ...
@overload
def pick(x: str) -> str: ...
def pick(x):
#   ^^^^ def pick function
    return x


async def fetch[T: int, *Ts](url: T) -> "Reply":
#         ^^^^^ def fetch function
    async with open(url) as reply:
#                           ^^^^^ ref reply
        return await reply.read()
#                          ^^^^ ref read


if LIMIT > 3:
    def twice(): ...
else:
    def twice(): ...
#       ^^^^^ def twice+2 function
