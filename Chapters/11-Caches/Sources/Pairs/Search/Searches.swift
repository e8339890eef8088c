/// What a search has found.
struct SearchResult: Equatable, Sendable {
  let term: String
  let photos: [Photo]
}

enum SearchError: Error, Equatable {
  case wrongKey
  case nothingFound
  case status(Int)
}

/// The searches of a screen, the newest first: what it decides, without a server.
struct Searches {
  private(set) var listed: [(number: Int, result: SearchResult)] = []
  private(set) var alert: String?
  private var latest = 0

  /// A search begins.
  ///
  /// - Returns: Its number.
  mutating func begin() -> Int {
    latest += 1
    alert = nil
    return latest
  }

  /// A search has ended. One that answers late is listed behind those that were begun later.
  mutating func take(_ result: Result<SearchResult, any Error>, of number: Int) {
    switch result {
    case .success(let result):
      let index = listed.firstIndex { $0.number < number } ?? listed.endIndex
      listed.insert((number, result), at: index)
    case .failure(is CancellationError): break
    // An older search has nothing to say that the user still waits for.
    case .failure(let error): if number == latest { alert = Self.words(for: error) }
    }
  }

  private static func words(for error: any Error) -> String {
    switch error as? SearchError {
    case .wrongKey: "The key is wrong."
    case .nothingFound: "There is no such photo."
    case .status(let status): "The server said \(status)."
    case nil: "The search has failed."
    }
  }
}
