import Foundation
import Workbook

@testable import Groups

/// A network whose answers come when the test says so, in the order in which it says so.
final class Shelf: Sendable {
  struct Failure: Error, Equatable {
    let name: String
  }

  private let gates: [String: Gate]
  private let missing: Set<String>
  let log = Transcript()

  /// - Parameters:
  ///   - names: The photos that can be asked for; each once.
  ///   - missing: Those of them that fail.
  init(_ names: [String], missing: Set<String> = []) {
    gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate()) })
    self.missing = missing
  }

  /// Lets a request be answered.
  func answer(_ name: String) {
    log.say(name)
    gates[name]!.open()
  }

  func fetch(_ name: String, then completion: @escaping @Sendable (Answer) -> Void) {
    Task {
      await gates[name]!.wait()
      completion(Answer { try photo(of: name) })
    }
  }

  func photo(named name: String) async throws -> Photo {
    await gates[name]!.wait()
    return try photo(of: name)
  }

  private func photo(of name: String) throws -> Photo {
    if missing.contains(name) { throw Failure(name: name) }
    return .named(name)
  }
}

extension Photo {
  /// A photo that tells its name.
  static func named(_ name: String) -> Photo {
    let bytes = Array(name.utf8) + [0, 0]
    return Photo(
      width: bytes.count / 3, height: 1, pixels: Array(bytes.prefix(bytes.count / 3 * 3)))
  }
}

/// In short what came of a request.
func short(_ answer: Answer) -> String {
  switch answer {
  case .success(let photo): String(decoding: photo.pixels.filter { $0 != 0 }, as: UTF8.self)
  case .failure(let failure as Shelf.Failure): "no \(failure.name)"
  case .failure(let error): "\(type(of: error))"
  }
}
