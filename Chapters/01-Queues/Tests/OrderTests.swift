import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Queues

@Suite struct OrderTests {
  /// Not more: to raise a chain of tasks the runtime locks all of them at once, and ThreadSanitizer bears 64 locks.
  private let names = (0..<50).map(String.init)

  @Test(arguments: Implementation.allCases)
  func `every upload is sent once, and never two at once`(_ uploads: Implementation) async {
    let inside = Atomic(0)
    let sent = Transcript()
    let uploads = uploads.make { upload in
      #expect(inside.add(1, ordering: .relaxed).newValue == 1)
      sched_yield()
      sent.say(upload.name)
      inside.subtract(1, ordering: .relaxed)
    }
    await uploads.submit(names.map { Upload($0, isUrgent: $0.hasSuffix("7")) })
    await uploads.finish()
    #expect(sent.steps.count == names.count)
    #expect(Set(sent.steps) == Set(names))
  }

  @Test(arguments: Implementation.allCases)
  func `equally urgent uploads of a batch are sent in order`(_ uploads: Implementation) async {
    let sent = Transcript()
    let uploads = uploads.make { upload in
      sched_yield()
      sent.say(upload.name)
    }
    await uploads.submit(names.map { Upload($0) })
    await uploads.finish()
    #expect(sent.steps == names)
  }

  @Test func `a concurrent queue takes its blocks in order, as one thread shows`() {
    let one = DispatchQueue(label: "one thread")
    let queue = DispatchQueue(label: "uploads", attributes: .concurrent, target: one)
    let begun = Transcript()
    let group = DispatchGroup()
    let names = (0..<200).map(String.init)
    for name in names { queue.async(group: group) { begun.say(name) } }
    group.wait()
    #expect(begun.steps == names)
  }

  @Test
  func `children of a group begin in order where one thread serves them, and are equally urgent`()
    async
  {
    let begun = Transcript()
    let names = (0..<200).map(String.init)
    await withTaskExecutorPreference(ThreadExecutor()) {
      await Grouped.Uploads { begun.say($0.name) }.upload(names.map { Upload($0) })
    }
    #expect(begun.steps == names)
  }

  enum Implementation: CaseIterable {
    case serialQueue, actor, stream, chain

    func make(send: @escaping @Sendable (Upload) -> Void) -> any Uploading {
      switch self {
      case .serialQueue: Queued.Uploads(send: send)
      case .actor: Isolated.Uploads(send: send)
      case .stream: Streamed.Uploads(send: send)
      case .chain: Tasked.Uploads(send: send)
      }
    }
  }
}
