package com.acme.shop;

/** A shop. */
@Deprecated
public abstract class Shop<T extends Comparable<T>> extends Base<T> implements Seller {
//                    ^^^^ def Shop class
    private static final int LIMIT = 5, other[] = {1};
//                           ^^^^^ def Shop.LIMIT field
//                                      ^^^^^ def Shop.other field

    static {
        prepare();
    }

    public Shop(int size, String... names) throws Problem {
//         ^^^^ def Shop.Shop constructor
        this(size);
    }

    <X> Shop(X only) {
//      ^^^^ def Shop.Shop+2 constructor
        super(only);
    }

    @Override
    public <R> R quote(R price) {
//               ^^^^^ def Shop.quote method
        class Local {
//            ^^^^^ def Shop.quote.Local class
            int inside() { return 1; }
//              ^^^^^^ def Shop.quote.Local.inside method
        }
        Seller seller = new Seller() {
            int count = 1;
//              ^^^^^ def Shop.quote.<anonymous1>.count field
            @Override
            public int quote() { return count; }
//                     ^^^^^ def Shop.quote.<anonymous1>.quote method
        };
        return price;
    }

    abstract void quote();
//                ^^^^^ def Shop.quote+2 method

    enum Size implements Rank {
//       ^^^^ def Shop.Size enum
        SMALL(1) { int rank() { return 0; } },
//      ^^^^^ def Shop.Size.SMALL enum_member
//                     ^^^^ def Shop.Size.<anonymous1>.rank method
        LARGE;
//      ^^^^^ def Shop.Size.LARGE enum_member
        Size(int... ranks) {}
//      ^^^^ def Shop.Size.Size constructor
    }

    record Point<N>(@Given int x, N y) {
//         ^^^^^ def Shop.Point class
//                             ^ def Shop.Point.x field
//                                  ^ def Shop.Point.y field
        Point { check(x); }
//      ^^^^^ def Shop.Point.Point constructor
    }

    @interface Given {
//             ^^^^^ def Shop.Given interface
        String value() default "é";
//             ^^^^^ def Shop.Given.value method
        int MOST = 3;
//          ^^^^ def Shop.Given.MOST constant
    }

    interface Rank {
//            ^^^^ def Shop.Rank interface
        default int rank() { return naïve; }
//                  ^^^^ def Shop.Rank.rank method
        record Inner() {}
//             ^^^^^ def Shop.Rank.Inner class
    }
}
