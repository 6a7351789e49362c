package com.acme.shop;

import java.util.List;
//     ^^^^^^^^^^^^^^ ref java.util.List
import static com.acme.Prices.*;
//            ^^^^^^^^^^^^^^^ ref com.acme.Prices

final @Named(value = NAME, kinds = {Kind.class}) class User<T extends Bound & More>
//     ^^^^^ ref Named
//           ^^^^^ ref value
//                   ^^^^ ref NAME
//                                  ^^^^ ref Kind
//                                                                    ^^^^^ ref Bound
        extends a.b.Base<T> implements Seller {
//                  ^^^^ ref Base
//                       ^ ref T
//                                     ^^^^^^ ref Seller
    Map<String, ? super Item[]> items = make(1, "one");
//  ^^^ ref Map
//                      ^^^^ ref Item
//                                      ^^^^ ref make

    void run(final Order order, Item... rest) throws Problem {
//                 ^^^^^ ref Order
//                              ^^^^ ref Item
//                                                   ^^^^^^^ ref Problem
        this.total += order.price().amount;
//           ^^^^^ ref total
//                          ^^^^^ ref price
//                                  ^^^^^^ ref amount
        var shop = outer.new Shop<>(rest[0], -1L);
//                 ^^^^^ ref outer
//                           ^^^^ ref Shop
//                                  ^^^^ ref rest
        Runnable task = () -> { super.run(order); };
//                                    ^^^ ref run
        Function<Order, Price> price = Order::price;
//                                     ^^^^^ ref Order
//                                            ^^^^^ ref price
        Supplier<Shop> maker = Shop::new;
//                                   ^^^ ref new
        for (Item item : order.items()) handle((Item) item);
//                             ^^^^^ ref items
//                                      ^^^^^^ ref handle
//                                              ^^^^ ref Item
        if (order instanceof Rush rush && rush.late()) return;
//                           ^^^^ ref Rush
//                                ^^^^ ref rush
//                                             ^^^^ ref late
        try (Reader reader = open()) { read(reader); } catch (Late | Lost problem) { throw new Failed(problem); }
//           ^^^^^^ ref Reader
//                                                            ^^^^ ref Late
//                                                                   ^^^^ ref Lost
//                                                                                             ^^^^^^ ref Failed
        int size = switch (kind) { case SMALL -> few(); case Large large when large.odd() -> 2; default -> { yield many(); } };
//                         ^^^^ ref kind
//                                      ^^^^^ ref SMALL
//                                               ^^^ ref few
//                                                           ^^^^^ ref Large
//                                                                                  ^^^ ref odd
//                                                                                                                 ^^^^ ref many
        Shop.<Item>sell(order, item -> item.price(), (a, b) -> a);
//                 ^^^^ ref sell
//            ^^^^ ref Item
//                                          ^^^^^ ref price
        int[][] table = new int[size()][], row = {size};
//                              ^^^^ ref size
//                                                ^^^^ ref size
        Seller.super.sell(Outer.this.name, Inner.class);
//      ^^^^^^ ref Seller
//                   ^^^^ ref sell
//                                   ^^^^ ref name
//                                         ^^^^^ ref Inner
    }
}
