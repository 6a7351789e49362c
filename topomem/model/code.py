"""What is said of code: facts of one blob, and edges between symbols of one snapshot.

`extract` makes `BlobFacts` from bytes alone; `link` makes `FileLinks` from the facts of all files
of a snapshot. Neither knows a commit.

A blob is cut into *regions*: the module's remainder, and one per class, function or method, each
without its nested definitions (a placeholder stands for each). Equal regions are stored once, ever.
A `Placement` says where in a blob a region stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from topomem.model.ids import BlobId, FilePath, LanguageName, Moniker, QualifiedName, RegionKey


class SymbolKind(StrEnum):
    """Kinds of symbols, for all languages."""

    MODULE = "module"  # the file itself
    NAMESPACE = "namespace"
    CLASS = "class"
    INTERFACE = "interface"
    TRAIT = "trait"
    ENUM = "enum"
    STRUCT = "struct"
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    PROPERTY = "property"
    FIELD = "field"
    ENUM_MEMBER = "enum_member"
    VARIABLE = "variable"
    CONSTANT = "constant"
    TYPE_ALIAS = "type_alias"
    MACRO = "macro"


class EdgeKind(StrEnum):
    """Kinds of typed edges."""

    CONTAINS = "contains"
    IMPORTS = "imports"
    EXPORTS = "exports"
    CALLS = "calls"
    CONSTRUCTS = "constructs"
    READS = "reads"
    WRITES = "writes"
    USES_TYPE = "uses_type"
    INHERITS = "inherits"
    IMPLEMENTS = "implements"
    OVERRIDES = "overrides"
    DECORATES = "decorates"
    RAISES = "raises"
    TESTS = "tests"
    OWNS = "owns"


class Method(StrEnum):
    """How a reference was resolved; goes with every edge."""

    LOCAL = "local_scope"
    ENCLOSING = "enclosing_scope"
    MODULE = "module_scope"
    IMPORT = "import"
    REEXPORT = "reexport"
    RECEIVER = "receiver_type"  # self/this, constructor assignment, class hierarchy
    ANNOTATION = "annotation"  # receiver's type from a written type
    FLOW = "value_flow"  # through assignments, parameters, returns, containers
    PACKAGE = "package_scope"  # same Go package, same Java package
    BUILTIN = "builtin"
    EXTERNAL = "external"
    UNIQUE_NAME = "unique_name"  # the only definition of that name: a guess, low confidence
    UNRESOLVED = "unresolved"
    STRUCTURE = "structure"  # contains, overrides: follow from other facts


class Op(IntEnum):
    """Closed vocabulary of the reduced tree; the names are those of the captures in `edges.scm`.

    The reduced tree of a region holds only captured nodes, nested by their byte ranges. Same
    language-neutral tree for all languages; `link` interprets it. Numbers are stored: append only.
    """

    # roles: say what part of its parent an expression is. The value of a role is the expression
    # child with exactly the role's range; a role without one is opaque (its value is unknown),
    # whatever else is nested in it is still read for references.
    OBJECT = 1  # of member, index
    CALLEE = 2  # of call, construct
    ARGUMENT = 3  # positional, in order
    KEYWORD = 4  # keyword argument; its name is a KEYWORD_NAME child, its value a VALUE child
    KEYWORD_NAME = 5
    SPREAD = 6  # *args / ...args
    KEY = 7  # of index, pair
    ELEMENT = 8  # of collection
    VALUE = 9  # of assign, return, iterate, enter, raise, pair, keyword, yield
    TARGET = 10  # of assign, iterate, enter, catch
    TYPE = 11  # written type of assign, parameter, catch, cast, field, return type of a definition
    DEFAULT = 12  # of parameter
    OPTION = 13  # of choice
    RESULT = 14  # expression body of a lambda
    INHERIT = 15  # base in a definition's header
    IMPLEMENT = 16  # interface in a definition's header
    DECORATOR = 17  # decorator or annotation expression of the region's definition
    RETURN_TYPE = 18  # written result type of the region's definition or of a lambda
    MEMBER_NAME = 19  # text: identifier after the dot
    TYPE_PARAMETER = 20  # text: declared type parameter, shadows types of that name
    BOUND = 21  # bound of a type parameter (child of TYPE_PARAMETER region of text)

    # expressions
    NAME = 32  # text: identifier; binding or use, by the role it stands in
    MEMBER = 33  # OBJECT, MEMBER_NAME
    CALL = 34  # CALLEE, ARGUMENT*, KEYWORD*, SPREAD*
    CONSTRUCT = 35  # `new C(...)`, `C{...}`: CALLEE is a type
    INDEX = 36  # OBJECT, KEY; in a type: generic application, text "member": `T["name"]`
    COLLECTION = 37  # ELEMENT*, SPREAD*, or PAIR*; text: list, tuple, set, dict, object, array
    PAIR = 38  # KEY (or PAIR_NAME) and VALUE or LAMBDA; text of a type's: "index", "mapped"
    PAIR_NAME = 39  # text: literal key of a pair
    LITERAL = 40  # text: "string", "number", "boolean", "none", "regex", "bytes", "template"
    CHOICE = 41  # OPTION*: conditional, `or`, `and`, `??`
    TRANSPARENT = 42  # parentheses, non-null mark: its value is its expression's; text "typeof"
    # in a type: the type of a value
    CAST = 43  # TYPE, VALUE: has the written type
    LAMBDA = 44  # anonymous function: PARAMETER*, RESULT or RETURN inside
    RECEIVER = 45  # this, self keyword
    PARENT = 46  # super
    AWAIT = 47  # value: the resolved value of its expression
    STRING_TYPE = 48  # text: a type written inside a string
    DEFINE = 49  # placeholder of a nested definition; text: its ordinal among the nested ones
    COMPREHENSION = 50  # its ELEMENT (or PAIR) over ITERATE*; text as of COLLECTION; opens a scope
    FUNCTION_TYPE = 51  # written function type; text new, call or method (PAIR_NAME) of a type's
    UNION_TYPE = 52  # OPTION*: `A | B` in a type; text "intersection", "conditional"
    OPERATION = 53  # an operator applied to operands; opaque value; text "keyof" in a type
    SLICE = 54  # value: same kind of collection as OBJECT
    REFERENCE = 55  # `Type::method`, `obj::method`: OBJECT, MEMBER_NAME (a callable value)
    POINTER = 56  # &x, *x, *T: as its expression
    STRING_VALUE = 57  # text: short string literal (at most 200 characters), for keys and getattr
    DIMENSIONS = 58  # text: brackets of an array type (`[][]`); "expression" for one with a length

    # statements
    ASSIGN = 64  # TARGET, VALUE, TYPE; text: who owns a name that it declares: let and const the
    # innermost scope, "var" the function, "field" the class, "alias" another name; "set": it
    # declares none; else the language's rule
    AUGMENT = 65  # `+=`: TARGET, VALUE; reads and writes
    ITERATE = 66  # TARGET takes each element of VALUE; text "key" where it takes keys/indices
    ENTER = 67  # with: TARGET, VALUE
    CATCH = 68  # TYPE, TARGET
    RETURN = 69  # VALUE
    YIELD = 70  # VALUE
    RAISE = 71  # VALUE
    DELETE = 72  # TARGET
    PARAMETER = 73  # PARAMETER_NAME, TYPE, DEFAULT; text: rest, keywords, receiver, keyword_only,
    # "property" (of the class whose constructor it belongs to)
    PARAMETER_NAME = 74
    SCOPE = 75  # a block that binds its own names (let/const, Java and Go blocks)
    GLOBAL = 76  # text: name declared global
    NONLOCAL = 77  # text: name declared nonlocal
    DECLARE = 78  # a declaration without value: TARGET, TYPE (`var x: T`, Java field, Go var); text
    # as of ASSIGN, and "type_alias": TARGET is another name of TYPE
    YIELD_FROM = 79  # VALUE
    HEAD = 80  # an overload head of the region's definition: PARAMETER*, RETURN_TYPE

    # imports and exports (region of the module, or of a function in Python)
    IMPORT = 96  # one import statement
    IMPORT_MODULE = 97  # text: module as written, dots included (`..pkg.mod`, `./x`, `fmt`)
    IMPORT_ITEM = 98  # one imported thing: IMPORT_NAME and IMPORT_ALIAS inside
    IMPORT_NAME = 99  # text
    IMPORT_ALIAS = 100  # text: local name
    IMPORT_STAR = 101  # everything; with IMPORT_ALIAS: a namespace object
    IMPORT_DEFAULT = 102  # text: local name of the default export
    IMPORT_STATIC = 103  # Java static import mark
    IMPORT_TYPE = 104  # type-only mark
    EXPORT = 112  # one export statement; IMPORT_MODULE inside when it re-exports
    EXPORT_ITEM = 113  # EXPORT_NAME, EXPORT_ALIAS inside
    EXPORT_NAME = 114
    EXPORT_ALIAS = 115
    EXPORT_STAR = 116  # `export *`; with EXPORT_ALIAS a namespace
    EXPORT_DEFAULT = 117  # VALUE inside, or the definition placed inside
    PACKAGE = 118  # text: package name of the file (Java, Go)


ROLES = range(1, 32)
EXPRESSIONS = range(32, 64)
STATEMENTS = range(64, 96)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a blob: bytes half-open, lines 1-based and inclusive."""

    start_byte: int
    end_byte: int
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something that could not be read; `start_line` 0 where it is about the whole blob.

    Codes: syntax, too_deep, time, too_large, binary, minified, generated, encoding, lfs_pointer,
    unsupported_language, missing.
    """

    code: str
    message: str
    start_line: int = 0
    end_line: int = 0


@dataclass(frozen=True, slots=True)
class Declaration:
    """A named thing that a region declares.

    The first declaration of a region is the region's own definition (the module's has name ``);
    the others are light ones that are no regions: variables, constants, fields, enum members,
    properties assigned through the receiver (`self.x = ...`, container then is the class: name
    `Class.x` is composed by whoever places it, see `through_receiver`).
    Offsets are bytes in the region's text (with placeholders), rows count the region's own lines
    from 0 (lines of nested definitions are not counted).
    """

    kind: SymbolKind
    name: str
    signature: str  # one line, without body: `def f(a: int, *, b=1) -> str`
    start: int
    end: int
    row: int  # of the first byte, decorators included
    end_row: int
    name_row: int
    modifiers: tuple[str, ...] = ()  # async, static, abstract, readonly, exported, private, ...
    through_receiver: bool = False
    body_hash: str = ""  # layout and comments ignored; for light ones of their own text
    shape_hash: str = ""  # own name and the local names abstracted
    owner: str = ""  # written receiver type of a method defined outside its type (Go, Rust, C++)
    code_hash: str = ""  # as body_hash, of what follows the signature; of regions only
    comment_hash: str = ""  # of comments and documentation inside; of regions only


@dataclass(frozen=True, slots=True)
class RegionFacts:
    """What the text of one region says; nothing here depends on where it stands.

    The reduced tree is in order of (start, -end): six columns of equal length, the text of an op
    without one is "". An ASSIGN, AUGMENT or YIELD may stand in a role (`x = y = f()`, walrus): its
    value there is that of its VALUE. `texts` of ASSIGN and DECLARE may name the kind of symbol they
    declare (`type_alias`). The DEFINE of nested definition n has the text `n`, counted from 0.
    """

    key: RegionKey
    language: LanguageName
    declarations: tuple[Declaration, ...]
    docstring: str
    kinds: bytes  # Op values, one byte each
    parents: tuple[int, ...]  # index of the parent op, -1 at the top
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    rows: tuple[int, ...]
    texts: tuple[str, ...]
    words: tuple[tuple[str, str, int], ...]  # (field: name signature docstring body, word, count)
    value_hash: str  # digest of what other regions can learn here: header, bindings, results
    size: int  # bytes of the region's text
    row_count: int


@dataclass(frozen=True, slots=True)
class Placement:
    """Where in a blob a region stands.

    Placements of a blob are in order of `start_byte`, outermost first; number 0 is the module.
    """

    region: RegionKey
    parent: int  # index of the enclosing placement, -1 for the module
    name: QualifiedName  # qualified inside the file, overload suffix included
    span: Span  # decorators and modifiers included
    name_line: int


@dataclass(frozen=True, slots=True)
class BlobFacts:
    """What one blob says. `placements` is empty when the blob could not be read at all."""

    blob: BlobId
    language: LanguageName
    placements: tuple[Placement, ...]
    diagnostics: tuple[Diagnostic, ...]
    line_count: int
    byte_count: int
    error_bytes: int = 0  # bytes inside error nodes


@dataclass(frozen=True, slots=True)
class External:
    """A target outside the repository, as far as it is known (`os.path.join`, `<builtin>.len`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference whose target is not known, with the candidates that were not chosen among."""

    name: str
    candidates: tuple[Moniker, ...] = ()


Target = Moniker | External | Unresolved


@dataclass(frozen=True, slots=True)
class LinkedEdge:
    """One edge out of a region, relative to it; `op` is the reference, -1 the definition itself."""

    kind: EdgeKind
    op: int
    target: Target
    confidence: float
    method: Method
    source: int = 0  # number of the declaration inside the region it leaves from


@dataclass(frozen=True, slots=True)
class RegionLinks:
    """Edges of one placed region."""

    region: RegionKey
    edges: tuple[LinkedEdge, ...]


@dataclass(frozen=True, slots=True)
class FileLinks:
    """Edges of one file of a snapshot, parallel to the placements of its blob."""

    path: FilePath
    blob: BlobId
    regions: tuple[RegionLinks, ...]
