// Definitions of every kind.
export const LIMIT: number = 10, other = 2;
//           ^^^^^ def LIMIT constant
//                               ^^^^^ def other constant
let { first, second: [renamed, { deep }], ...rest } = load();
//    ^^^^^ def first variable
//                    ^^^^^^^ def renamed variable
//                               ^^^^ def deep variable
//                                           ^^^^ def rest variable
const total = async <T,>(items: T[]): Promise<number> => items.length;
//    ^^^^^ def total function
const api = { get() { return 1; }, put: () => 2, size: 3 };
//    ^^^ def api constant
//            ^^^ def api.get method
//                                 ^^^ def api.put method

/** Paints a thing. */
export function paint(what: string): void;
export function paint(what: number, where?: { x: number }): void;
//                                            ^ def paint.where.x field
export function paint(what: unknown) {
//              ^^^^^ def paint function
  const inner = function () { return what; };
//      ^^^^^ def paint.inner function
  const local = inner();
  return local;
}

export abstract class Shape<T> extends Base<T> implements Drawable, shapes.Named {
//                    ^^^^^ def Shape class
  static count = 0;
//       ^^^^^ def Shape.count field
  private readonly name: string;
//                 ^^^^ def Shape.name field
  #secret = 1;
//^^^^^^^ def Shape.#secret field
  constructor(protected owner: Owner, plain: number) { super(); }
//^^^^^^^^^^^ def Shape.constructor constructor
//                      ^^^^^ def Shape.owner field
  abstract area(): number;
//         ^^^^ def Shape.area method
  handler = (event: Event) => this.area();
//^^^^^^^ def Shape.handler method
  get size(): number { return 1; }
//    ^^^^ def Shape.size method
  [Symbol.iterator]() {}
//        ^^^^^^^^ def Shape.iterator method
  draw(): this;
  draw(on: Canvas): this;
  draw(on?: Canvas) { return this; }
//^^^^ def Shape.draw method
}

const Anonymous = class extends Shape<number> { area() { return 0; } };
//    ^^^^^^^^^ def Anonymous class
//                                              ^^^^ def Anonymous.area method

interface Drawable extends Named<string> {
//        ^^^^^^^^ def Drawable interface
  readonly color?: { red: number };
//         ^^^^^ def Drawable.color field
//                   ^^^ def Drawable.color.red field
  draw(on: Canvas): void;
//^^^^ def Drawable.draw method
  (call: string): Drawable;
}

type Options<K> = { depth: number; visit(node: K): void };
//   ^^^^^^^ def Options type_alias
//                  ^^^^^ def Options.depth field
//                                 ^^^^^ def Options.visit method

enum Kind { A, B = "b" }
//   ^^^^ def Kind enum
//          ^ def Kind.A enum_member
//             ^ def Kind.B enum_member

namespace Commands {
//        ^^^^^^^^ def Commands namespace
  export class Move { run() {} }
//             ^^^^ def Commands.Move class
//                    ^^^ def Commands.Move.run method
  export namespace Deep { export const go = () => 1; }
//                 ^^^^ def Commands.Deep namespace
//                                     ^^ def Commands.Deep.go function
}

declare function boot(): void;
//               ^^^^ def boot function
declare module "outside" { export function inside(): void; }
//              ^^^^^^^ def outside namespace
//                                         ^^^^^^ def outside.inside function
declare global { interface Window { shop: string } }
//      ^^^^^^ def global namespace
//                         ^^^^^^ def global.Window interface

export default class { run() {} }
//     ^^^^^^^ def default class
//                     ^^^ def default.run method
