/// What a search says while it is under way.
enum SearchProgress: Sendable, CustomStringConvertible {
  case asksAgain(after: Duration)
  case fetched

  var description: String {
    switch self {
    case .asksAgain(let delay): "asks again in \(delay)"
    case .fetched: "the page is there"
    }
  }
}

typealias Report = @Sendable (SearchProgress) -> Void
