extension Queued {
  /// Counts a visit when somebody has approved of it.
  static func addVisit(
    to id: UserID, in context: Context,
    approve: (@escaping @Sendable () -> Void) -> Void,
    then completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    approve {
      context.perform {
        do {
          // Read after the approval: nobody is between this line and the save.
          context.user(id)?.visits += 1
          try context.save()
          completion(nil)
        } catch {
          // Or it would be counted with the next save.
          context.rollback()
          completion(error)
        }
      }
    }
  }
}
