import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let fullDisk = Subject(
    "full-disk",
    asks: "A file of 8 bytes is saved where 5 have room. What is the caller told?",
    right: .allowed("that the disk is full"), .forbidden("that it is saved"),
    implementations: [
      .before(
        "one write",
        .surprising("that it is saved", "write has said 5, and nobody has looked").onlyExplored
      ) { (stage: Stage) in
        stage.limitDisk(to: 5)
        let isOver = DispatchSemaphore(value: 0)
        let writer = AsPublished.FileWriter(path: path, data: { eightBytes }) { isOver.signal() }
        guard writer != nil else { return "that it cannot be opened" }
        isOver.wait()
        return "that it is saved"
      }
      .code("FileWriterAsPublished.swift", "_ = write")
      .notPlayed(needsDisk).alwaysWrong,
      .before("until all is written") { (stage: Stage) in
        stage.limitDisk(to: 5)
        let isOver = DispatchSemaphore(value: 0)
        let end = Mutex<(any Error)?>(nil)
        let writer = try Sourced.FileWriter.write(
          eightBytes, to: path, queue: DispatchQueue(label: "file")
        ) { error in
          end.withLock { $0 = error }
          isOver.signal()
        }
        isOver.wait()
        return withExtendedLifetime(writer) { told(end.withLock { $0 }) }
      }
      .code("FileSource.swift", "guard let count").notPlayed(needsDisk),
      .after("a channel under await") { stage in
        stage.limitDisk(to: 5)
        let isOver = Gate()
        let file = try Async.File(creating: path) { isOver.open() }
        let error: (any Error)?
        do {
          try await file.write(eightBytes)
          error = nil
        } catch let refusal { error = refusal }
        file.close()
        await isOver.wait()
        return told(error)
      }
      .code("FileAsync.swift", "channel.write").notPlayed(needsDisk),
    ])
}

private let path = "/tmp/saved"
private let eightBytes: [UInt8] = Array("12345678".utf8)
private let needsDisk = "a small disk needs a process of its own: demo no-room"

private func told(_ error: (any Error)?) -> String {
  switch error {
  case nil: "that it is saved"
  case let error as DescriptorError where error.code == ENOSPC: "that the disk is full"
  case let error?: "\(error)"
  }
}
