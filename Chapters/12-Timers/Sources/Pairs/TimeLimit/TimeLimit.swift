/// A save took longer than it may. Whether it was made is not known.
struct TimedOut: Error, Equatable, CustomStringConvertible {
  let limit: Duration

  var description: String { "not known to be saved within \(limit)" }
}
