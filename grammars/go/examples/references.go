package shop

import (
    . "strings"
//     ^^^^^^^ ref strings
    price "example.com/shop/price"
//  ^^^^^ ref price
//         ^^^^^^^^^^^^^^^^^^^^^^ ref example.com/shop/price
)

var shop = &Shop[Item]{left: []Item{{Name: "a"}}, Base: price.New(1)}
//          ^^^^ ref Shop
//               ^^^^ ref Item
//                     ^^^^ ref left
//                             ^^^^ ref Item
//                                   ^^^^ ref Name
//                                                ^^^^ ref Base
//                                                      ^^^^^ ref price
//                                                            ^^^ ref New

func (s *Shop[T]) run(order price.Order, rest ...Item) (done chan<- T, err error) {
//       ^^^^ ref Shop
//                          ^^^^^ ref price
//                                ^^^^^ ref Order
//                                               ^^^^ ref Item
//                                                                  ^ ref T
//                                                                         ^^^^^ ref error
    sold, err := s.Sell(order.Total(), rest...)
//                 ^^^^ ref Sell
//                            ^^^^^ ref Total
//                                     ^^^^ ref rest
    if item, ok := s.items["key"].(*Item); ok && item.late {
//                   ^^^^^ ref items
//                                  ^^^^ ref Item
//                                                    ^^^^ ref late
        return nil, errors.New("late")
//                         ^^^ ref New
    }
    for index, each := range s.left {
//                             ^^^^ ref left
        s.total += each.Price * index
//        ^^^^^ ref total
//                      ^^^^^ ref Price
    }
    switch found := order.Kind().(type) {
//                        ^^^^ ref Kind
    case Rush, *price.Late:
//       ^^^^ ref Rush
//                    ^^^^ ref Late
        found.hurry()
//            ^^^^^ ref hurry
    }
    select {
    case got := <-s.orders:
//                  ^^^^^^ ref orders
        handle(got)
//      ^^^^^^ ref handle
    case done <- next():
//               ^^^^ ref next
    }
    defer s.mu.Unlock()
//             ^^^^^^ ref Unlock
    go func(count int) { count++ }(len(rest))
//                                 ^^^ ref len
    var table map[Key][]Value = make(map[Key][]Value, size)
//                ^^^ ref Key
//                      ^^^^^ ref Value
//                                                    ^^^^ ref size
    return Map[Item, string](rest, (*Item).Label), Handler(nil)
//         ^^^ ref Map
//             ^^^^ ref Item
//                                         ^^^^^ ref Label
//                                                 ^^^^^^^ ref Handler
}
