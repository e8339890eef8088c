import Synchronization
import Workbook

extension Subject {
  static let diamond = Subject(
    "diamond",
    asks: "Two sizes need the photo, and the page needs both. In which order does all of it run?",
    right: .allowed("photo first, page last"), .forbidden("a piece too early"),
    implementations: [
      .before("operations with dependencies") { _ in
        let (graph, order) = (Depending.Graph(), Order())
        for (name, needs) in pieces {
          graph.add(name, after: needs) { order.add(name) }
        }
        graph.run(width: 2)
        return order.text
      }
      .code("GraphOperation.swift", "operation.addDependency"),
      .after("task group") { _ in
        let order = Order()
        var graph = TaskGrouped.Graph()
        for (name, needs) in pieces {
          graph.add(name, after: Set(needs)) { order.add(name) }
        }
        _ = try await graph.run(width: 2)
        return order.text
      }
      .code("GraphTaskGroup.swift", "while running < width"),
    ])
}

private let pieces = [
  ("photo", []), ("large", ["photo"]), ("small", ["photo"]), ("page", ["large", "small"]),
]

private final class Order: Sendable {
  private let names = Mutex<[String]>([])

  func add(_ name: String) { names.withLock { $0.append(name) } }

  var text: String {
    let names = names.withLock(\.self)
    return names.count == 4 && names.first == "photo" && names.last == "page"
      ? "photo first, page last" : "a piece too early"
  }
}
