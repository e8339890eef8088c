import Foundation
import Workbook

#if canImport(CLinux)
  import CLinux
#endif

extension Demo {
  static let hugeFile = Demo(
    "huge-file",
    asks: "A file of 2 GiB is read by a process that has memory for one. What does its reader do?",
    sides: [
      memory.side(
        .before, "memory for the estimate", "huge-as-published",
        wrong: "malloc fails, and the source fires on"
      ) { path, received in
        try AsPublished.readFile(openFile(path, O_RDONLY)) { _, count in
          if count > 0 { received.add("\(count) bytes") }
          return count > 0
        }
      }
      .code("FileReaderAsPublished.swift", "guard let buffer"),
      memory.side(.before, "pieces of one size", "huge-by-source") { path, received in
        try Sourced.read(
          fileAt: path, queue: DispatchQueue(label: "file"),
          whenRead: { received.add("\($0.count) bytes") }, whenOver: { _ in })
      }
      .code("FileSource.swift", "try Connection"),
      memory.side(.after, "a piece that is asked for", "huge-by-task") { path, received in
        Task { received.add(try await Async.File(at: path).read()) }
      }
      .code("FileAsync.swift", "channel.read"),
    ])

  static let noRoom = Demo(
    "no-room",
    asks: "A file of 128 KiB is saved on a disk of 64. What is the caller told?",
    sides: [
      smallDisk.side(
        .before, "one write", "no-room-as-published",
        wrong: "write has said how much, and nobody has looked", writeOnce
      ).code("FileWriterAsPublished.swift", "_ = write"),
      smallDisk.side(.before, "until all is written", "no-room-by-source", writeSourced)
        .code("FileSource.swift", "guard let count"),
      smallDisk.side(.after, "a channel under await", "no-room-by-task", writeAwaited)
        .code("FileAsync.swift", "channel.write"),
    ])
}

private typealias Begin = @Sendable (_ path: String, Received) throws -> Any

private let memory = Trial<Begin>(right: "reads", wrong: "no byte, and a thread spins", run: begin)
private let smallDisk = Trial<Write>(right: "that it is not", wrong: "that it is saved", run: save)

/// Lets a file of 2 GiB less a byte, without a block on the disk, be read in a process that has memory for half of it.
/// Waits until bytes have come, or the process has computed for a tenth of a second without any.
private func begin(_ begin: @escaping Begin, _: Transcript) throws -> String {
  let path = FileManager.default.temporaryDirectory.appending(path: "huge-\(getpid())").path
  let descriptor = try openFile(path, O_RDWR | O_CREAT | O_TRUNC)
  defer { unlink(path) }
  let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = sizes?.split(separator: " ").first.flatMap { Int($0) } ?? 0
  precondition(ResourceLimit.addressSpace.set(to: pages * Int(getpagesize()) + (1 << 30)))
  guard ftruncate(descriptor, (1 << 31) - 1) == 0 else {
    return "the folder for temporary files has to take one of 2 GiB"
  }
  close(descriptor)
  let (received, start) = (Received(), clock())
  return try withExtendedLifetime(begin(path, received)) {
    while clock() - start < CLOCKS_PER_SEC / 10 {
      if !received.all.isEmpty { return memory.right }
      usleep(1_000)
    }
    return memory.wrong
  }
}

/// Saves a file where it has no room, and says what its caller was told: an error, or none.
private func save(_ write: @escaping Write, _ transcript: Transcript) throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(at: folder) }
  #if canImport(CLinux)
    let isMounted = linux_mount_memory(folder.path, "size=64k") == 0
    defer { linux_unmount(folder.path) }
  #else
    let isMounted = false
  #endif
  // Where a disk in memory is not permitted, which is this thread's alone, no file may be larger.
  if !isMounted {
    signal(SIGXFSZ, SIG_IGN)
    precondition(ResourceLimit.fileSize.set(to: 64 << 10))
  }
  let path = folder.appending(path: "saved").path
  let error = try write([UInt8](repeating: 1, count: 128 << 10), path, O_CREAT | O_TRUNC)
  var status = stat()
  stat(path, &status)
  transcript.say("\(status.st_size >> 10) of 128 KiB are on the disk")
  if let error { transcript.say("\(error)") }
  return error == nil ? smallDisk.wrong : smallDisk.right
}
