/// The filters that a photo can be given: made once, read by everybody, and never written again.
final class Filters: Sendable {
  let names: [String]

  init(_ names: [String]) {
    self.names = names.sorted()
  }
}
