/// A save took longer than it may.
struct TimedOut: Error, Equatable, CustomStringConvertible {
  let limit: Duration

  var description: String { "not saved within \(limit); the old version is still there" }
}
