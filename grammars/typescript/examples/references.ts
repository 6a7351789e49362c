// Uses of names in every role.
import whole, { part as renamed, type Only } from "./parts";
import * as space from "package";
import legacy = require("legacy");
export { renamed as shown } from "./other";

class Use<T extends Bound = Fallback> extends space.Base<T> implements Only {
//                  ^^^^^ ref Bound
//                          ^^^^^^^^ ref Fallback
//                                            ^^^^^ ref space
//                                                       ^ ref T
//                                                                     ^^^^ ref Only
  @decorate(option) field: Map<string, Only[]> = new Map();
// ^^^^^^^^ ref decorate
//          ^^^^^^ ref option
//                         ^^^ ref Map
//                                     ^^^^ ref Only
  run(given: typeof whole.member, { a, b: c = start }: Only): asserts given is Only {
//                  ^^^^^ ref whole
//                                            ^^^^^ ref start
//                                                                             ^^^^ ref Only
    const { [key]: taken, ...others } = given?.first!.second<Only>(renamed, ...list);
//           ^^^ ref key
//                                      ^^^^^ ref given
//                                                           ^^^^ ref Only
//                                                                 ^^^^^^^ ref renamed
//                                                                             ^^^^ ref list
    const table = { short, [computed]: value, method() { return inside; }, ...spread };
//                  ^^^^^ ref short
//                          ^^^^^^^^ ref computed
//                                     ^^^^^ ref value
//                                                              ^^^^^^ ref inside
//                                                                            ^^^^^^ ref spread
    for (const one of things) { one.step ??= fallback; }
//                    ^^^^^^ ref things
//                                           ^^^^^^^^ ref fallback
    const made = <Only>cond ? (left as Only) : (0, right satisfies Only);
//                ^^^^ ref Only
//                     ^^^^ ref cond
//                             ^^^^ ref left
//                                                 ^^^^^ ref right
    throw tag`text ${inner}`;
//        ^^^ ref tag
//                   ^^^^^ ref inner
  }
}
