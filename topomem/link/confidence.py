"""How often edges of each method are right.

The figures are shares of right edges among judged ones, measured by `benchmarks/edges.py` with an
independent index of open repositories as the judge, rounded down to the next .05 below .9. Several
targets of one reference share what one target would get.
"""

import math
from functools import cache

from topomem.model.code import Method

RIGHT = {
    Method.STRUCTURE: 1.0,
    Method.LOCAL: 0.97,
    Method.ENCLOSING: 0.97,
    Method.MODULE: 0.97,
    Method.IMPORT: 0.97,
    Method.REEXPORT: 0.97,
    Method.PACKAGE: 0.95,
    Method.RECEIVER: 0.92,
    Method.ANNOTATION: 0.92,
    Method.FLOW: 0.8,
    Method.BUILTIN: 0.97,
    Method.EXTERNAL: 0.95,
    Method.UNIQUE_NAME: 0.4,
    Method.UNRESOLVED: 0.0,
}


@cache
def confidence(method: Method, targets: int = 1) -> float:
    """Return the share of right edges of this method, for a reference with so many targets."""
    return round(RIGHT[method] / math.sqrt(max(1, targets)), 3)
