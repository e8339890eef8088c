/// What two child tasks do to an object between awaits.
public final class Progress: @unchecked Sendable {
  public private(set) var done = 0

  public init() {}

  public func add(_ steps: Int) { done += steps }
}

public actor SafeProgress {
  public private(set) var done = 0

  public init() {}

  public func add(_ steps: Int) { done += steps }
}

public func download(_ progress: Progress) async -> Int {
  await withTaskGroup(of: Void.self) { group in
    for steps in 1...2 {
      group.addTask {
        await Task.yield()
        progress.add(steps)
      }
    }
  }
  return progress.done
}

public func download(_ progress: SafeProgress) async -> Int {
  await withTaskGroup(of: Void.self) { group in
    for steps in 1...2 {
      group.addTask {
        await Task.yield()
        await progress.add(steps)
      }
    }
  }
  return await progress.done
}
