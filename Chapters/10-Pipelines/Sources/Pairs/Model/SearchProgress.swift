/// What a search says while it is under way.
enum SearchProgress: Sendable, CustomStringConvertible {
  case asksAgain(after: Duration)
  case fetched
  case found(Int)

  var description: String {
    switch self {
    case .asksAgain(let pause): "asks again in \(pause)"
    case .fetched: "the page is there"
    case .found(let count): "\(count) repositories"
    }
  }
}

typealias Report = @Sendable (SearchProgress) -> Void
