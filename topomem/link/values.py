"""What an expression may stand for: the items of value flow, and where names lead.

Items are tuples that end in a tag, so that two kinds of item are never equal and hashing is cheap.
A *value* is a frozen set of items; the empty set means "nothing is known". Scopes are named by the
qualified name of their region: `` for the module, `Class`, `Class.method`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from topomem.model.code import Method
from topomem.model.ids import FilePath, QualifiedName


class Definition(NamedTuple):
    """A function or class object of the repository. As a place: the definition itself."""

    path: FilePath
    name: QualifiedName
    tag: Literal["definition"] = "definition"


class Variable(NamedTuple):
    """A name bound in a scope: module or class variable, attribute, local, parameter.

    `block` is the op of an inner scope of the region (block, lambda, comprehension), -1 for the
    region's own scope. Attributes set through the receiver belong to the scope of their class.
    """

    path: FilePath
    scope: QualifiedName
    name: str
    block: int = -1
    tag: Literal["variable"] = "variable"


class Module(NamedTuple):
    """A file as a namespace."""

    path: FilePath
    tag: Literal["module"] = "module"


class Folder(NamedTuple):
    """A folder as a namespace: a package that has no file of its own, or is the folder."""

    path: FilePath
    tag: Literal["folder"] = "folder"


class Outside(NamedTuple):
    """Something outside the repository, as far as its name is known (`<builtin>.len`)."""

    name: str
    tag: Literal["outside"] = "outside"


class OutsideInstance(NamedTuple):
    """A thing made by something outside; `name` is that of its maker or type."""

    name: str
    tag: Literal["outside_instance"] = "outside_instance"


class Instance(NamedTuple):
    """A thing of a class of the repository.

    `own` marks the receiver inside the class's own methods: a call replaces it by the receiver
    it is made on.
    """

    path: FilePath
    name: QualifiedName
    own: bool = False
    tag: Literal["instance"] = "instance"


class OwnClass(NamedTuple):
    """The class object that a class method receives; calling it makes an own `Instance`."""

    path: FilePath
    name: QualifiedName
    tag: Literal["own_class"] = "own_class"


class Bound(NamedTuple):
    """A function read through a receiver; `receiver` is an item."""

    path: FilePath
    name: QualifiedName
    receiver: Item
    tag: Literal["bound"] = "bound"


class Parent(NamedTuple):
    """`super` inside a class: members are looked for behind it in the order of `receiver`."""

    path: FilePath
    name: QualifiedName
    receiver: Item | None = None
    tag: Literal["parent"] = "parent"


class Lambda(NamedTuple):
    """An anonymous function: the op of a region."""

    path: FilePath
    scope: QualifiedName
    op: int
    tag: Literal["lambda"] = "lambda"


class Collection(NamedTuple):
    """A collection written at an op of a region; its elements are asked for by key."""

    path: FilePath
    scope: QualifiedName
    op: int
    tag: Literal["collection"] = "collection"


class Part(NamedTuple):
    """A slice of a collection that begins at `start`."""

    whole: Item
    start: int
    tag: Literal["part"] = "part"


class Container(NamedTuple):
    """Something whose elements are `items`, wherever they stand in it (`list[Item]`, a generator).

    `kind` is the outside name of its type, `` when that is not known.
    """

    items: frozenset[Item]
    kind: str = ""
    tag: Literal["container"] = "container"


class OutsideMethod(NamedTuple):
    """A method of an outside type, read through a value whose elements are known."""

    name: str
    receiver: Item
    tag: Literal["outside_method"] = "outside_method"


class Generator(NamedTuple):
    """What a call of a generator function gives."""

    path: FilePath
    name: QualifiedName
    receiver: Item | None = None
    tag: Literal["generator"] = "generator"


class Argument(NamedTuple):
    """Whatever callers pass for a parameter: replaced at a call, else looked up at call sites.

    `block` is the op of the lambda for a lambda's parameter, else -1.
    """

    path: FilePath
    scope: QualifiedName
    name: str
    block: int = -1
    tag: Literal["argument"] = "argument"


class Text(NamedTuple):
    """A literal used as a key: the text of a string, or `#` and a number as written."""

    text: str
    tag: Literal["text"] = "text"


Item = (
    Definition
    | Module
    | Folder
    | Outside
    | OutsideInstance
    | Instance
    | OwnClass
    | Bound
    | Parent
    | Lambda
    | Collection
    | Part
    | Container
    | Generator
    | OutsideMethod
    | Argument
    | Text
)
Value = frozenset[Item]
NOTHING: Value = frozenset()

Place = Definition | Variable | Module | Folder | Outside
"""Where a name leads: what an edge may point at."""


class Found(NamedTuple):
    """One answer to "what does this name mean here", with how it was found.

    `hops` are the files whose re-exports were followed, in order. `receiver` is the item a member
    was read through.
    """

    place: Place
    method: Method
    hops: tuple[FilePath, ...] = ()
    receiver: Item | None = None
