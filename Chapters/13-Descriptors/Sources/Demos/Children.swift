import Workbook

/// What is tried in child processes, in several ways.
struct Trial<Way: Sendable>: Sendable {
  let right, wrong: String
  /// Tries one way, and says what comes of it.
  let run: @Sendable (Way, Transcript) throws -> String

  /// Makes a side of one way; `why` is why that goes wrong, and nil if it does not.
  func side(
    _ era: Side.Era, _ mechanism: String, _ name: String, wrong why: String? = nil, _ way: Way
  ) -> Side {
    let hazard = Hazard("descriptors/\(name)") { transcript in
      do { return try run(way, transcript) } catch { return "\(error)" }
    }
    guard let why else {
      return .hazard(era, mechanism, hazard, .allowed(right), .forbidden(wrong))
    }
    return .hazard(era, mechanism, hazard, .surprising(wrong, why), .forbidden(right))
  }
}
