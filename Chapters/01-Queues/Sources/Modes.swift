/// Where a function runs, called from where this is called, by what it is marked with: nothing, `@concurrent`,
/// `nonisolated(nonsending)` and `@MainActor`. Each module that is compiled in a mode of its own has this.
nonisolated(nonsending) public func places() async -> [String] {
  let code = WhereItRuns()
  return [
    await code.unmarked(), await code.concurrent(), await code.nonsending(), await code.mainActor(),
  ].map(\.rawValue)
}
