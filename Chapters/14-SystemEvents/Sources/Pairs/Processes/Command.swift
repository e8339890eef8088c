/// A program, and what it is given.
struct Command: Hashable, Sendable {
  /// The whole path of the program.
  let path: String
  var arguments: [String] = []
}
