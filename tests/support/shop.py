"""A small repository that tests of the faces ask about."""

from __future__ import annotations

from pathlib import Path

from support.history import History, build

SHOP = '''
=== c1
--- shop/__init__.py
from shop.cart import Cart
--- shop/prices.py
"""What things cost."""
RATE = 0.2

def tax(amount):
    """Return the tax on an amount."""
    return amount * RATE

def unused():
    return tax(1)
--- shop/cart.py
from shop.prices import tax

class Cart:
    """What a customer is about to buy."""

    def __init__(self):
        self.lines = []

    def add(self, line):
        self.lines.append(line)

    def total(self):
        """Return what is to be paid, tax included."""
        net = sum(self.lines)
        return net + tax(net)
--- shop/checkout.py
from shop import Cart

def pay(amounts):
    cart = Cart()
    for amount in amounts:
        cart.add(amount)
    return cart.total()

def total(amounts):
    return sum(amounts)

def refund(amount):
    return -amount
--- shop/returns.py
def refund(amount):
    return 0
--- notes.xyz
tax is what the state takes
--- picture.py
\x00binary\x00
=== c2 < c1
> round the tax
--- shop/prices.py
"""What things cost."""
RATE = 0.2

def tax(amount):
    """Return the tax on an amount, rounded."""
    return round(amount * RATE, 2)

def unused():
    return tax(1)
'''


def shop(folder: Path, *, bare: bool = False) -> History:
    """Return the shop, checked out unless it is bare."""
    history = build(SHOP, folder, bare=bare)
    if not bare:
        history.checkout()
    return history
