import Foundation

/// Who can wait, in the graph: a thread, a task, a block, an operation. No two have the same number, ever.
typealias Party = UInt

/// Who runs at present: a thread and, if there is one, the task on it.
///
/// A task is its own party, since another thread may carry it on after an `await`.
struct Strand {
  let record: UnsafeMutablePointer<ThreadRecord>
  /// The task, or the handler of a finding, that the thread runs; 0 if it runs neither.
  let task: Party

  /// Whoever runs the main queue; on Linux that need not be the main thread.
  static let mainRunner = Party.max

  static var current: Self { at(ThreadRecord.key) }

  /// - Parameter key: ``ThreadRecord/key``, from where it costs less to read than a static variable.
  @inline(__always) static func at(_ key: pthread_key_t) -> Self {
    let record = ThreadRecord.at(key)
    return Self(record: record, task: record.pointee.current)
  }

  /// The party that acts, in the wait-for graph.
  @inline(__always) var party: Party { task == 0 ? record.pointee.party : task }

  /// The parties that cannot go on while the thread is blocked.
  var blockedParties: [Party] {
    let own = task == 0 ? [party] : [task, record.pointee.party]
    return record.pointee.isMain || Runtime.isOnMainQueue ? own + [Self.mainRunner] : own
  }

  /// What tells strands apart in the lock order: work, which may be a part of what a thread does.
  var run: UInt { task == 0 ? record.pointee.run : task }

  /// Who it is, for a report.
  var participant: Participant { participantWhileBlocked() }

  /// Who it is, as the thread was called when this was first asked: for what is noted often.
  var knownParticipant: Participant {
    let thread = record.pointee.knownName
    let queue = Runtime.isOnRootQueue ? nil : Runtime.queueLabel.map { String(cString: $0) }
    return Self.participant(work, thread: thread, queue: queue)
  }

  /// Who it is, to be asked at once, or by anyone while the thread is blocked.
  var participantWhileBlocked: () -> Participant {
    // The queue whose label this is lives while the thread runs it.
    let label = Runtime.queueLabel
    let isRoot = Runtime.isOnRootQueue
    let work = work
    return { [record] in
      Self.participant(
        work, thread: record.pointee.name,
        queue: isRoot ? nil : label.map { String(cString: $0) })
    }
  }

  /// The task or the operation that the thread runs.
  private var work: (kind: Participant.Kind, name: String)? {
    if task != 0 { return (.task, taskName) }
    return record.pointee.operation.map { (.operation, $0) }
  }

  private static func participant(
    _ work: (kind: Participant.Kind, name: String)?, thread: String, queue: String?
  ) -> Participant {
    guard let work else {
      return Participant(kind: .thread, name: thread, thread: nil, queue: queue)
    }
    return Participant(kind: work.kind, name: work.name, thread: thread, queue: queue)
  }

  private var taskName: String { Task<Never, Never>.name ?? "\(Runtime.number(ofTask: task))" }

  /// Whether the thread is one of Swift's cooperative pool.
  var isOnCooperativePool: Bool { task != 0 && Runtime.isOnCooperativePool }
}
