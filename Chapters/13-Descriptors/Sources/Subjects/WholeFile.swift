import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let wholeFile = Subject(
    "whole-file",
    asks: "A file of 6 bytes is read to its end, and its reader cancels. What is the end?",
    right: .allowed("6 bytes, and the end"), .allowed("cancelled"), .forbidden("something else"),
    implementations: [
      .before("read source") { (stage: Stage) in
        let path = makeFile("read", stage)
        defer { unlink(path) }
        let (received, isOver) = (Received(), DispatchSemaphore(value: 0))
        let ends = Mutex<[String]>([])
        let reading = try Sourced.read(
          fileAt: path, queue: DispatchQueue(label: "file"), whenRead: received.add
        ) { error in
          ends.withLock { $0.append(error == nil ? "end" : "\(error!)") }
          isOver.signal()
        }
        reading.cancel()
        isOver.wait()
        return told(received.text, ends.withLock { $0 })
      }
      .code("FileSource.swift", "try Connection"),
      .after("a channel under await") { stage in
        let path = makeFile("awaited", stage)
        defer { unlink(path) }
        let (received, isOver) = (Received(), Gate())
        let file = try Async.File(reading: path) { isOver.open() }
        let reader = Task {
          while case let bytes = try await file.read(upTo: 4), !bytes.isEmpty {
            received.add(bytes)
          }
        }
        reader.cancel()
        var ends: [String] = []
        do {
          try await reader.value
          ends.append("end")
        } catch { ends.append("\(error)") }
        file.close()
        await isOver.wait()
        return told(received.text, ends)
      }
      .code("FileAsync.swift", "channel.read"),
    ])

  static let copiedFile = Subject(
    "copied-file",
    asks: "A file of 6 bytes is copied. What does the copy have when its caller is told?",
    right: .allowed("6 bytes"), .forbidden("less"),
    implementations: [
      .before("two channels and a barrier") { (stage: Stage) in
        let (path, copy) = (makeFile("copied", stage), ownPath("by-channels", stage))
        defer { for path in [path, copy] { unlink(path) } }
        let isOver = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Int, DescriptorError>?>(nil)
        try Channelled.Copy.begin(fileAt: path, to: copy, queue: DispatchQueue(label: "copy")) {
          end in
          result.withLock { $0 = end }
          isOver.signal()
        }
        isOver.wait()
        return try told(result.withLock { $0 }?.get(), copy)
      }
      .code("CopyDispatchIO.swift", "copy.barrier"),
      .after("a piece after the other") { stage in
        let (path, copy) = (makeFile("copied", stage), ownPath("by-a-task", stage))
        defer { for path in [path, copy] { unlink(path) } }
        return try told(await Async.copy(fileAt: path, to: copy), copy)
      }
      .code("CopyAsync.swift", "let piece = try await"),
    ])
}

/// Makes a file of 6 bytes.
private func makeFile(_ name: String, _ stage: Stage) -> String {
  let path = ownPath(name, stage)
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  send("abcdef", into: descriptor)
  _ = close(descriptor)
  return path
}

private func told(_ text: String, _ ends: [String]) -> String {
  switch ends {
  case ["end"] where text == "abcdef": "6 bytes, and the end"
  case ["CancellationError()"] where "abcdef".hasPrefix(text): "cancelled"
  default: "something else"
  }
}

private func told(_ count: Int?, _ path: String) -> String {
  let descriptor = open(path, O_RDONLY)
  var bytes = [UInt8](repeating: 0, count: 8)
  let found = read(descriptor, &bytes, bytes.count)
  _ = close(descriptor)
  return count == 6 && found == 6 ? "6 bytes" : "less"
}
