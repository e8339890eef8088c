/// A photo as it is sent.
struct Photo: Sendable, Equatable {
  let name: String
  let bytes: [UInt8]
}

/// What a server says of a photo that it keeps.
struct Receipt: Sendable, Equatable {
  let name: String
  let count: Int
}
