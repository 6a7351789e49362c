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

// Functions in objects go by the name of what the objects make, or are put into.
module.exports = function (Plot) {
  Plot.Control = function (item) { this.item = item; };
//     ^^^^^^^ def Plot.Control method
  assist.extend(Plot.Control.prototype, /** inherited */ {
    update: function update() { this.run({ done: function () {} }); },
//  ^^^^^^ def Plot.Control.update method
    clear() { return this; },
//  ^^^^^ def Plot.Control.clear method
  });
  Plot.Arc = Plot.Element.extend({ draw: function () {} });
//                                 ^^^^ def Plot.Arc.draw method
  Plot.ticks = { plain: () => 1, makers: { linear: function () {} } };
//               ^^^^^ def Plot.ticks.plain method
//                                         ^^^^^^ def Plot.ticks.makers.linear method
  Plot.ticks.makers.time = function () { return 3; };
//                  ^^^^ def Plot.ticks.makers.time method
  Plot.plugins.register({ before: function (plot) { plot.run(); } });
//                        ^^^^^^ def Plot.plugins.before method
};
Shape.prototype = { area: function () {}, set side(value) {} };
//                  ^^^^ def Shape.area method
//                                            ^^^^ def Shape.side method
Object.assign(Queue, { from: function* () {} });
//                     ^^^^ def Queue.from method
const View = library.create({ render() {} });
//                            ^^^^^^ def View.render method
var counter = (function () { return { next: function () {} }; })();
//                                    ^^^^ def counter.next method
function makePair() { return { first() {}, second: () => 2 }; }
//                             ^^^^^ def makePair.first function
//                                         ^^^^^^ def makePair.second function
