import Foundation

/// What a server says of an address.
enum Fetched: Sendable {
  case picture(Picture)
  case moved(to: URL)
}

/// A picture that has moved too often.
struct TooManyMoves: Error, Equatable {}
