/// A connection that is expensive to open, so there should be one.
final class Session: Sendable {}
