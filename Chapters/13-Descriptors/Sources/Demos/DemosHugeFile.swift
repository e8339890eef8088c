import Foundation
import Synchronization
import Workbook

extension Demo {
  static let hugeFile = Demo(
    "huge-file",
    asks: "A file of 2 GiB is read by a process that has memory for one. What does its reader do?",
    sides: [
      .hazard(
        .before, "memory for the estimate", asPublished,
        .surprising(spins, "malloc fails, and the source fires on"), .forbidden(reads)
      )
      .code("FileReaderAsPublished.swift", "guard let buffer"),
      .hazard(
        .before, "pieces of one size", bySource, .allowed(reads), .forbidden(spins)
      )
      .code("FileSource.swift", "try Connection"),
      .hazard(.after, "a piece that is asked for", byTask, .allowed(reads), .forbidden(spins))
        .code("FileAsync.swift", "channel.read"),
    ])

  private static let asPublished = Hazard("descriptors/huge-as-published") { _ in
    withHugeFile { path in
      let received = Mutex(0)
      let reader = AsPublished.FileReader(path: path) { _, count in
        received.withLock { $0 += count }
        return count > 0
      }
      defer { reader?.cancel() }
      return outcome { received.withLock { $0 } }
    }
  }

  private static let bySource = Hazard("descriptors/huge-by-source") { _ in
    withHugeFile { path in
      let received = Mutex(0)
      let reading = try? Sourced.read(
        fileAt: path, queue: DispatchQueue(label: "file"),
        whenRead: { bytes in received.withLock { $0 += bytes.count } }, whenOver: { _ in })
      defer { reading?.cancel() }
      return outcome { received.withLock { $0 } }
    }
  }

  private static let byTask = Hazard("descriptors/huge-by-task") { _ in
    withHugeFile { path in
      let received = Mutex(0)
      Task {
        let bytes = try await Async.File(reading: path).read()
        received.withLock { $0 = bytes.count }
      }
      return outcome { received.withLock { $0 } }
    }
  }
}

private let spins = "no byte, and a thread spins"
private let reads = "reads"

/// Makes a file of 2 GiB less a byte, without a block on the disk, and gives the process half of that.
private func withHugeFile(_ body: (_ path: String) -> String) -> String {
  let most = rlim_t(addressSpace() + (1 << 30))
  var limit = rlimit(rlim_cur: most, rlim_max: most)
  let path = FileManager.default.temporaryDirectory.appending(path: "huge-\(getpid())").path
  let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  defer { unlink(path) }
  guard setrlimit(resource, &limit) == 0, ftruncate(descriptor, (1 << 31) - 1) == 0 else {
    return String(cString: strerror(errno))
  }
  _ = close(descriptor)
  return body(path)
}

/// How much the process has of it now, in bytes.
private func addressSpace() -> Int {
  let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
    .split(separator: " ").first.flatMap { Int($0) }
  return (pages ?? 0) * Int(getpagesize())
}

#if canImport(Glibc)
  private let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
#else
  private let resource = RLIMIT_AS
#endif

/// Waits until bytes have come, or the process has computed for a tenth of a second without any.
private func outcome(_ received: () -> Int) -> String {
  let begin = clock()
  while clock() - begin < CLOCKS_PER_SEC / 10 {
    if received() > 0 { return reads }
    usleep(1_000)
  }
  return spins
}
