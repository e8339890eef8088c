import Foundation
import Synchronization
import Workbook

#if canImport(CLinux)
  import CLinux
#endif

extension Demo {
  static let noRoom = Demo(
    "no-room",
    asks: "A file of 128 KiB is saved on a disk of 64. What is the caller told?",
    sides: [
      .hazard(
        .before, "one write", asPublished,
        .surprising("that it is saved", "write has said how much, and nobody has looked"),
        .forbidden("that it is not")
      )
      .code("FileWriterAsPublished.swift", "_ = write"),
      .hazard(
        .before, "until all is written", bySource, .allowed("that it is not"),
        .forbidden("that it is saved")
      )
      .code("FileSource.swift", "guard let count"),
      .hazard(
        .after, "a channel under await", byTask, .allowed("that it is not"),
        .forbidden("that it is saved")
      )
      .code("FileAsync.swift", "channel.write"),
    ])

  private static let asPublished = Hazard("descriptors/no-room-as-published") { transcript in
    onSmallDisk(transcript) { path in
      let isOver = DispatchSemaphore(value: 0)
      let writer = AsPublished.FileWriter(path: path, data: { contents }) { isOver.signal() }
      isOver.wait()
      return withExtendedLifetime(writer) { nil }
    }
  }

  private static let bySource = Hazard("descriptors/no-room-by-source") { transcript in
    onSmallDisk(transcript) { path in
      let (isOver, end) = (DispatchSemaphore(value: 0), Ending())
      let writer = try Sourced.FileWriter.write(
        contents, to: path, queue: DispatchQueue(label: "file")
      ) { error in
        end.end(with: error)
        isOver.signal()
      }
      isOver.wait()
      return withExtendedLifetime(writer) { end.error }
    }
  }

  private static let byTask = Hazard("descriptors/no-room-by-task") { transcript in
    onSmallDisk(transcript) { path in
      let (isOver, end) = (DispatchSemaphore(value: 0), Ending())
      let file = try Async.File(creating: path)
      Task {
        do { try await file.write(contents) } catch { end.end(with: error) }
        isOver.signal()
      }
      isOver.wait()
      return end.error
    }
  }
}

private let contents = [UInt8](repeating: 1, count: 128 << 10)

/// Saves a file where it has no room, and says what its caller was told: an error, or none.
private func onSmallDisk(
  _ transcript: Transcript, _ save: (_ path: String) throws -> (any Error)?
) -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(getpid())")
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    limitDisk(folder.path)
    let path = folder.appending(path: "saved").path
    let error = try save(path)
    var status = stat()
    stat(path, &status)
    transcript.say("\(status.st_size >> 10) of 128 KiB are on the disk")
    if let error { transcript.say("\(error)") }
    unmount(folder.path)
    return error == nil ? "that it is saved" : "that it is not"
  } catch { return "\(error)" }
}

/// Lets a folder of this thread's be a disk of 64 KiB in memory; where that is not permitted, no file may be larger.
private func limitDisk(_ path: String) {
  #if canImport(CLinux)
    if linux_mount_memory(path, "size=64k") == 0 { return }
  #endif
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: 64 << 10, rlim_max: 64 << 10)
  #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    setrlimit(RLIMIT_FSIZE, &limit)
  #endif
}

private func unmount(_ path: String) {
  #if canImport(CLinux)
    linux_unmount(path)
  #endif
}
