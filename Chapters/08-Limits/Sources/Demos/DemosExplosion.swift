import Dispatch
import Foundation
import Synchronization
import Workbook

extension Demo {
  static let explosion = Demo(
    "explosion",
    asks: "300 blocks wait, as for a disk. How many threads begin, and how fast?",
    sides: [
      .hazard(
        .before, "a serial queue each",
        threads("queues", until: 255) { _ in DispatchQueue(label: "com.example.photo") },
        .surprising("255 threads at once", "each queue has a thread of its own, up to 255 a class"),
        .forbidden("a few threads, then one more a second")
      )
      .code("DemosExplosion.swift", "begun.add(1"),
      .hazard(
        .before, "one global queue", threads("global", until: 32) { _ in DispatchQueue.global() },
        .surprising("a few threads, then one more a second", "the pool adds one while all block"),
        .forbidden("255 threads at once")
      )
      .code("DemosExplosion.swift", "begun.add(1"),
    ])

  static let lastQueue = Demo(
    "last-queue",
    asks: "255 serial queues wait for one more block. Does that get a thread?",
    sides: [
      .hazard(
        .before, "on a serial queue",
        last("serial") { DispatchQueue(label: "last").async(execute: $0) },
        .surprising("hang", "255 is the most for queues of one class"), .forbidden("it runs")
      )
      .code("DemosExplosion.swift", "DispatchQueue(label: \"last\").async"),
      .hazard(
        .before, "on one of another class",
        last("class") { DispatchQueue(label: "last", qos: .utility).async(execute: $0) },
        .allowed("it runs", "each class has threads of its own"), .forbidden("hang")
      )
      .code("DemosExplosion.swift", "qos: .utility"),
      .hazard(
        .before, "on a global queue", last("global") { DispatchQueue.global().async(execute: $0) },
        .allowed("it runs", "the pool counts its own threads"), .forbidden("hang")
      )
      .code("DemosExplosion.swift", "DispatchQueue.global().async"),
      .hazard(
        .after, "in a task", last("task") { block in Task { block() } },
        .allowed("it runs", "tasks have a pool of their own"), .forbidden("hang")
      )
      .code("DemosExplosion.swift", "Task { block() }"),
    ])
}

/// Blocks 300 blocks, and counts the threads for a second and a half, or until there are enough to know.
private func threads(
  _ name: String, until enough: Int, _ queue: @escaping @Sendable (Int) -> DispatchQueue
) -> Hazard {
  Hazard("limits/explosion-\(name)") { transcript in
    let begun = Atomic(0)
    let never = DispatchSemaphore(value: 0)
    let start = ContinuousClock.now
    for number in 0..<300 {
      queue(number).async {
        begun.add(1, ordering: .relaxed)
        never.wait()
      }
    }
    transcript.row(["after", "threads", ""])
    var next = 0
    while true {
      let (time, count) = (
        Int((ContinuousClock.now - start) / .milliseconds(1)), begun.load(ordering: .relaxed)
      )
      if time >= next || count >= enough {
        transcript.row(["\(time) ms", "\(count)", String(repeating: "▪", count: (count + 3) / 4)])
        next = time + 250
      }
      if count >= enough { return enough == 255 ? "255 threads at once" : "\(enough) threads" }
      // As slow as a busy machine may be: the queues' threads are waited for.
      if enough != 255, time > 1_500 { return "a few threads, then one more a second" }
      usleep(5_000)
    }
  }
}

/// Has 255 serial queues wait for a block that comes after them.
private func last(
  _ name: String, _ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
) -> Hazard {
  Hazard("limits/last-\(name)") { transcript in
    let (hasBegun, isOver, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    for number in 0..<255 {
      DispatchQueue(label: "com.example.photo\(number)").async {
        hasBegun.signal()
        isOver.wait()
      }
    }
    for _ in 0..<255 { hasBegun.wait() }
    transcript.aboutToBlock("255 queues wait for one more block")
    submit {
      for _ in 0..<255 { isOver.signal() }
      done.signal()
    }
    done.wait()
    return "it runs"
  }
}
