import Workbook

extension Subject {
  static let letArray = Subject(
    "let-array",
    asks: "A and B read the list of filters, which nobody ever writes. What has to guard it?",
    right: .allowed("nothing, both read 3"), .forbidden("B waits, nothing, both read 3"),
    implementations: [
      .after("let", meanwhile: .atOnce) {
        let filters = Filters(["sepia", "mono", "chrome"])
        return Encounter(over: filters, stoppedAt: .use(1)) { _ in
          filters.names.count
        } outcome: { first, second in
          first == 3 && second == 3 ? "nothing, both read 3" : "something"
        }
      }
      .code("Filters.swift", "final class Filters")
    ])
}
