extension TwoContexts {
  /// Reads a user on the queue of a context that the user does not come from. The compiler cannot tell, since the object
  /// is said to be safe.
  static func visits(of user: UncheckedUser, in other: Context) -> Int {
    other.performAndWait { user.object.visits }
  }

  /// An object, for whomever it is given to.
  struct UncheckedUser: @unchecked Sendable {
    // That is false on purpose: nothing keeps two queues from using the object at once.
    let object: ManagedUser
  }
}
