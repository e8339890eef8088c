// What each pair promises. A requirement that is `async` is met by a synchronous method too, so queues,
// locks and actors share one contract.
//
// Where two meet, an operation calls `pause` when it has its first lock or queue and not its second, so that a
// demo or a test can stop it there.

/// Is told of a key whose value has changed, and may ask for the value.
public typealias Listener = @Sendable (_ key: String) -> Void

/// Keeps values, and tells its listeners when one has changed.
public protocol Settings: Sendable {
  init()
  func value(for key: String) -> Int
  func observe(_ listener: @escaping Listener)
  func set(_ value: Int, for key: String)
}

/// Photos on disk and their titles in an index; when nobody is at work, the two name the same photos.
public protocol Library: Sendable {
  init(photos: Set<String>)
  func rename(_ name: String, to new: String, betweenQueues pause: @Sendable () -> Void) async
  func delete(_ name: String, betweenQueues pause: @Sendable () -> Void) async
  var isConsistent: Bool { get async }
}

/// Holds money; what one purse pays, the other gets, and no balance falls below zero.
public protocol Purse: Sendable {
  init(number: Int, balance: Int)
  func transfer(_ amount: Int, to other: Self, betweenLocks pause: @Sendable () -> Void) async
  var balance: Int { get async }
}

/// Seats philosophers; whoever eats has the fork at the left and the fork at the right.
public protocol Table: Sendable {
  init(seats: Int)
  /// - Parameter seat: From 0.
  func eat(at seat: Int, betweenForks pause: @Sendable () -> Void) async
}

/// Whoever waits for a letter. Outside of an exploration it is a task.
public protocol LetterReader: Sendable {
  func resume(returning letter: String?)
}
