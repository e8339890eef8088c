import PrioritySimulation
import Workbook

extension Demo {
  static let visibleParse = Demo(
    "visible-parse",
    asks: "A page that the user looks at is parsed behind a prefetch. How long does it wait?",
    sides: [
      Side.simulated(
        one(queue: true), .noProtocol, as: "one queue of width 1",
        .surprising("blocked for 49 ticks", "30 of work that is in neither queue nor page"),
        .forbidden("blocked for 0 ticks")
      ).code("SearchOperation.swift", "queue.addOperations"),
      Side.simulated(
        one(queue: false), .noProtocol, as: "a queue for each",
        .allowed("blocked for 0 ticks", "the prefetch holds nothing that the parse needs"),
        .forbidden("blocked for 49 ticks")
      ).code("SearchOperation.swift", "let queue: OperationQueue"),
      Side.simulated(
        one(queue: true), .inheritance, as: "an await of the prefetch",
        .allowed("blocked for 19 ticks", "what is awaited inherits the priority"),
        .forbidden("blocked for 49 ticks")
      ).code("SearchAsync.swift", "let page"),
    ])

  /// The prefetch has 19 ticks to go when the visible parse comes, on the tick behind it; other work comes between.
  private static func one(queue: Bool) -> TaskSet {
    .urgent("visible", behind: "prefetch", sharing: queue ? "queue" : nil)
  }
}
