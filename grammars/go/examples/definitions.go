// Package shop sells.
package shop

const (
    First, second = iota, 2
//  ^^^^^ def First constant
//         ^^^^^^ def second constant
    third
//  ^^^^^ def third constant
)

var price, tax int = 1, 2
//  ^^^^^ def price variable
//         ^^^ def tax variable
var _ Seller = (*Shop[int])(nil)

// Shop is a shop.
type Shop[T any] struct {
//   ^^^^ def Shop struct
    mu    sync.Mutex
//  ^^ def Shop.mu field
    left, right []T
//  ^^^^ def Shop.left field
//        ^^^^^ def Shop.right field
    *Base
    at struct{ street string }
//  ^^ def Shop.at field
//             ^^^^^^ def Shop.at.street field
}

type (
    Tile struct{}
//  ^^^^ def Tile struct
    Seller interface {
//  ^^^^^^ def Seller interface
        Reader
        Sell(price int) (sold bool, err error)
//      ^^^^ def Seller.Sell method
    }
    Handler func(order string) error
//  ^^^^^^^ def Handler type_alias
    Name = string
//  ^^^^ def Name type_alias
)

// Sell sells.
func (s *Shop[T]) Sell(price int) (sold bool, err error) {
//                ^^^^ def Shop.Sell method
    type local struct{ inside int }
//       ^^^^^ def Shop.Sell.local struct
//                     ^^^^^^ def Shop.Sell.local.inside field
    return true, nil
}

func (Shop[T]) Len( /* nothing */ ) int { return 0 }
//             ^^^ def Shop.Len method

func (t /* the tile */ *Tile) Drop() {}
//                            ^^^^ def Tile.Drop method

func Map[T, U any](from []T, by func(T) U) []U { return nil }
//   ^^^ def Map function

func init() {}
//   ^^^^ def init function
func init() {}
//   ^^^^ def init+2 function

// é 漢字 🙂
func naïve() {}
