import Foundation

/// Follows a picture that has moved, so many times, within one load.
struct Moves: Sendable {
  let most: Int
  let fetch: @concurrent @Sendable (URL) async throws -> Fetched

  @concurrent func load(_ url: URL) async throws -> Picture {
    var url = url
    for _ in 0...most {
      switch try await fetch(url) {
      case .picture(let picture): return picture
      case .moved(let next): url = next
      }
    }
    throw TooManyMoves()
  }
}
