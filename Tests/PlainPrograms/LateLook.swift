import Synchronization

/// Two parts that take turns without waiting for each other. Only who has met each of the other's turns looks for an
/// object, which the other drops: most schedules have no such look.
public struct LateLook: Sendable {
  private final class Turn: Sendable {
    let number = Atomic(0)
  }

  private let diary = Diary()

  public init() {}

  public func run(_ runner: Runner) async -> String {
    await runner.together(parts())
    return diary.text
  }

  private func parts() -> [Part] {
    let (object, first, second) = (Quiet(), Turn(), Turn())
    return [
      Part {
        for turn in 1...3 {
          first.number.store(turn, ordering: .sequentiallyConsistent)
          guard second.number.load(ordering: .sequentiallyConsistent) == turn else { break }
        }
        object.use()
      },
      Part { [weak object, diary] in
        for turn in 1...3 {
          guard first.number.load(ordering: .sequentiallyConsistent) == turn else { return }
          second.number.store(turn, ordering: .sequentiallyConsistent)
        }
        diary(object == nil ? "gone" : "found")
      },
    ]
  }
}
