"""How often edges of each method are right.

Shares of right edges among those that an independent index of two open repositories judges (8,700
and 9,400 references), lowered to what its own errors allow to say; value flow besides by a
benchmark of call graphs. `benchmarks/edges.py --only METHOD` makes what is judged. Several targets
of one reference share what one target would get.
"""

import math
from functools import cache

from topomem.model.code import Method

RIGHT = {
    Method.STRUCTURE: 1.0,
    Method.LOCAL: 0.98,
    Method.ENCLOSING: 0.98,
    Method.MODULE: 0.98,
    Method.IMPORT: 0.98,
    Method.REEXPORT: 0.98,
    Method.PACKAGE: 0.95,
    Method.RECEIVER: 0.97,
    Method.ANNOTATION: 0.95,
    Method.FLOW: 0.75,
    Method.BUILTIN: 0.97,
    Method.EXTERNAL: 0.95,
    Method.UNIQUE_NAME: 0.4,
    Method.UNRESOLVED: 0.0,
}


@cache
def confidence(method: Method, targets: int = 1) -> float:
    """Return the share of right edges of this method, for a reference with so many targets."""
    return round(RIGHT[method] / math.sqrt(max(1, targets)), 3)
