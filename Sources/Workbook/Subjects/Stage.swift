import Synchronization

import enum ControlledDispatch.Kernel
import enum ControlledDispatch.WorkerPool
import func ControlledDispatch.strands

/// Where an implementation is run: played for real, or explored.
public struct Stage: Sendable {
  private let transcript: Transcript?
  /// Whether it may never end.
  private let mayHang: Bool

  /// - Parameters:
  ///   - transcript: What is said while it is played; `nil` where it is explored.
  ///   - mayHang: Whether it may never end.
  init(_ transcript: Transcript?, mayHang: Bool = false) {
    self.transcript = transcript
    self.mayHang = mayHang
  }

  /// Whether all schedules are run, in virtual time.
  public var isExplored: Bool { transcript == nil }

  /// Says what happens; nobody listens where it is explored.
  public func say(_ step: String) { transcript?.say(step) }

  /// Says that what comes next may never end; a child counts as hung only after this. Of an implementation that comes
  /// to its end nothing is said.
  ///
  /// - Parameter call: What may never end, such as "each goes to the other's queue".
  public func aboutToBlock(_ call: String) {
    if mayHang { transcript?.aboutToBlock(call) }
  }

  /// Gives global and concurrent queues so many workers, where it is explored; see ControlledDispatch.
  public func limitWorkers(to count: Int) {
    if isExplored { WorkerPool.limit(to: count) }
  }

  /// Gives pipes and sockets so small buffers, in bytes, where it is explored, that few bytes fill them.
  public func limitBuffers(to bytes: Int) {
    if isExplored { Kernel.limitBuffers(to: bytes) }
  }

  /// Gives the disk room for so many bytes, where it is explored.
  public func limitDisk(to bytes: Int) {
    if isExplored { Kernel.limitDisk(to: bytes) }
  }

  /// Runs the same beside each other, and waits until all are done.
  ///
  /// - Parameters:
  ///   - count: How many; 1 or more.
  ///   - name: What they are called, with a number from 1.
  ///   - carrier: What carries them where they are explored. Played, each is a task with a thread of its own.
  ///   - meeting: Where each is stopped, once, until all are, where it is played: at what, and in which object.
  ///   - body: What each does; it is given its number, from 0.
  public func run(
    _ count: Int, called name: String, on carrier: Encounter.Carrier,
    meeting: (stop: Stop, shared: @Sendable (Int) -> any AnyObject & Sendable)? = nil,
    _ body: @escaping @Sendable (Int) async -> Void
  ) async {
    guard !isExplored else {
      return await explored(
        (0..<count).map { number in
          ("\(name) \(number + 1)", { await body(number) })
        }, on: carrier)
    }
    let line = StartLine(count)
    await inTasks(count, called: name) { number, _ in
      guard let meeting else { return await body(number) }
      let meet: @Sendable () -> Void = {
        line.wait()
        // Whoever comes here knows that all have come.
        if number == 0 { aboutToBlock("each goes on") }
      }
      await meeting.stop.around(meeting.shared(number), meet) { await body(number) }
    }
  }
}

/// Runs strands or tasks beside each other, where they are explored.
func explored(
  _ bodies: [(name: String, body: @Sendable () async -> Void)], on carrier: Encounter.Carrier
) async {
  switch carrier {
  case .tasks:
    await withTaskGroup { group in
      for (name, body) in bodies { group.addTask(name: name) { await body() } }
    }
  case .threads:
    strands(bodies.map { body in { atOnce(body.body) } })
  }
}

/// Runs code on the calling thread that could suspend and does not.
private func atOnce(_ body: @escaping @Sendable () async -> Void) {
  let isDone = Atomic(false)
  Task.immediate {
    await body()
    isDone.store(true, ordering: .relaxed)
  }
  precondition(
    isDone.load(ordering: .relaxed), "a strand suspends, so what carries it has to be a task")
}
