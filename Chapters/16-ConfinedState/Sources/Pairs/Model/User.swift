import Synchronization

/// Who a user is: the same in each context, in the file, and after each save.
struct UserID: Hashable, Comparable, Sendable, Codable {
  let number: Int

  static func < (lhs: UserID, rhs: UserID) -> Bool { lhs.number < rhs.number }
}

/// What is known of a user.
struct User: Hashable, Sendable, Codable {
  var name: String
  var visits = 0

  /// These values where they differ from what both sides began with, and the other side's elsewhere.
  func merged(over other: User, since base: User) -> User {
    User(
      name: name != base.name ? name : other.name,
      visits: visits != base.visits ? visits : other.visits)
  }
}

/// Gives each new user an identifier that no other one has had since the store was opened.
final class Identifiers: Sendable {
  private let last: Mutex<Int>

  init(after users: some Sequence<UserID>) { last = Mutex(users.max()?.number ?? 0) }

  func next() -> UserID {
    last.withLock { last in
      last += 1
      return UserID(number: last)
    }
  }
}
