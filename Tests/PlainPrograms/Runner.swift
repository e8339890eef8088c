import ControlledDispatch
import Foundation

/// Who does the parts of a program: tasks, the strands of an exploration, or threads of the system.
public enum Runner: String, CaseIterable, Sendable { case tasks, strands, threads }

/// What somebody does, who gives it up then.
final class Part: @unchecked Sendable {
  // Sendable: only who does it takes it.
  private var body: (@Sendable () -> Void)?

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Drops values in their order, and goes on.
  convenience init(
    dropping values: [any Sendable], then body: @escaping @Sendable () -> Void = {}
  ) {
    let own = Own(values)
    self.init {
      own.drop()
      body()
    }
  }

  private final class Own: @unchecked Sendable {
    // Sendable: one strand has it.
    private var values: [Any?]
    init(_ values: [Any]) { self.values = values }
    func drop() { for index in values.indices { values[index] = nil } }
  }

  func callAsFunction() { body.take()!() }
}

extension Runner {
  /// What was begun.
  enum Pending {
    case tasks([Task<Void, Never>])
    case strands(ControlledDispatch.DispatchGroup)
    case threads(Foundation.DispatchGroup)

    /// Waits until all have come to their end.
    func end() async {
      switch self {
      case .tasks(let tasks): for task in tasks { await task.value }
      case .strands(let group): group.wait()
      case .threads(let group):
        await withCheckedContinuation { group.notify(queue: .global(), execute: $0.resume) }
      }
    }
  }

  /// Begins parts side by side.
  func begin(_ parts: [Part]) -> Pending {
    switch self {
    case .tasks: return .tasks(parts.map { part in Task { part() } })
    case .strands:
      let group = ControlledDispatch.DispatchGroup()
      for part in parts {
        ControlledDispatch.DispatchQueue(label: "q").async(group: group) { part() }
      }
      return .strands(group)
    case .threads:
      let group = Foundation.DispatchGroup()
      for part in parts { Foundation.DispatchQueue(label: "q").async(group: group) { part() } }
      return .threads(group)
    }
  }

  /// Does all parts side by side, and waits for them.
  func together(_ parts: [Part]) async {
    switch self {
    case .strands: ControlledDispatch.strands(parts.map { part in { part() } })
    case .tasks, .threads: await begin(parts).end()
    }
  }
}
