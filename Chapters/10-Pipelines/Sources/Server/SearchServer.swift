import Foundation
import Synchronization
import Workbook

/// A search for repositories, which misbehaves on request.
enum SearchServer {
  /// How it answers what is asked below a folder of that name.
  enum Behaviour: String, CaseIterable, Sendable {
    case right
    /// It takes an hour.
    case slow
    /// It closes the connection, without a word.
    case cut
    /// It promises more bytes than it sends.
    case wrongLength = "wrong-length"
    /// It sends half of a page, of the right length.
    case malformed
    /// It says 429 once, and to come back in seven seconds.
    case tooManyRequests = "too-many-requests"
    /// It says 500 twice.
    case failsTwice = "fails-twice"
    /// It sends the client to where it asks already.
    case redirectLoop = "redirect-loop"
    /// It sends chunk after chunk, at the pace of a network.
    case endless
  }

  /// What its log calls a search.
  static let search = "repositories"

  /// Serves while a body runs; see `HTTPServer`.
  nonisolated(nonsending) static func run<R: Sendable>(
    during body: (HTTPServer) async throws -> R
  ) async throws -> R {
    let asked = Mutex<[Behaviour: Int]>([:])
    return try await HTTPServer.run { request in
      let folder = request.path.split(separator: "/").first.map(String.init) ?? ""
      guard let behaviour = Behaviour(rawValue: folder), request.name == search else {
        return .status(404)
      }
      let times = asked.withLock { asked in
        asked[behaviour, default: 0] += 1
        return asked[behaviour]!
      }
      let page = RepositoryCatalogue.page(for: request.query)
      switch behaviour {
      case .tooManyRequests where times == 1: return .status(429, ["Retry-After": "7"])
      case .failsTwice where times <= 2: return .status(500)
      case .right, .tooManyRequests, .failsTwice: return .status(200, body: page)
      case .slow:
        try? await Task.sleep(for: .seconds(3_600))
        return .status(200, body: page)
      case .cut: return .cut
      case .wrongLength: return .short(page, promised: page.count + 1)
      case .malformed: return .status(200, body: page.prefix(page.count / 2))
      case .redirectLoop: return .status(302, ["Location": request.path])
      case .endless:
        return .endless(
          Data(repeating: UInt8(ascii: " "), count: 64_000), pause: .milliseconds(1))
      }
    } during: { server in
      try await body(server)
    }
  }
}

extension HTTPServer {
  /// Where the search is that misbehaves so.
  func folder(of behaviour: SearchServer.Behaviour) -> URL { url(of: behaviour.rawValue) }
}
