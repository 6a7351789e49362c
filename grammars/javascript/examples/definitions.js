// Definitions as programs without types write them.
var app = module.exports = {};
//  ^^^ def app variable
app.use = function use(step) { return step; };
//  ^^^ def app.use method

function Shape(name) { this.name = name; }
//       ^^^^^ def Shape function
Shape.prototype.draw = function () { return this.name; };
//              ^^^^ def Shape.draw method

exports.alone = async () => {};
//      ^^^^^ def alone function
module.exports.named = function () {};
//             ^^^^^ def named function
module.exports = { listed() {}, other: () => 1, Shape };
//                 ^^^^^^ def listed function
//                              ^^^^^ def other function

class Queue extends Shape {
//    ^^^^^ def Queue class
  #items = [];
//^^^^^^ def Queue.#items field
  static of() { return new Queue(); }
//       ^^ def Queue.of method
  constructor() { super(); this.size = 0; }
//                              ^^^^ def Queue.size field
  push = (item) => this.#items.push(item);
//^^^^ def Queue.push method
}

function* walk() { yield* walk(); }
//        ^^^^ def walk function
//                        ^^^^ ref walk
