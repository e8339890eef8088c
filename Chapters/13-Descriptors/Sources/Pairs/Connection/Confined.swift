/// What is used in one place at a time: on a serial queue, or by handlers that come one after the other.
// Sendable because of that alone.
final class Confined<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}
