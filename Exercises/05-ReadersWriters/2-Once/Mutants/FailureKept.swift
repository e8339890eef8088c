// Looks right: the task is kept, so it is begun once. Wrong: its failure is kept, too.

extension Once {
  // region begin
  private func begin() -> Task<Value, any Error> {
    let task = Task { try await make() }
    making = task
    return task
  }
  // endregion
}
