import Foundation

/// The supervisor's end of the descriptor on which a check tells what it finds.
///
/// The check gets a word that is drawn for this run before any line of the answer is run, and puts it before each
/// record. Whatever else is written there is left out: an answer may find the descriptor, but not the word, unless it
/// searches the memory of its process.
struct CheckChannel {
  /// What the check's process is given.
  let far: FileHandle
  private(set) var incoming: OutputTail
  private let word = UUID().uuidString

  /// - Throws: ``LaunchError`` if the system has no descriptors left.
  init() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let type = SOCK_STREAM  // untested; posix_spawn closes all others there
    #endif
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw LaunchError(program: "a check", reason: String(cString: strerror(errno)))
    }
    let near = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    far = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    try near.write(contentsOf: Data("\(word)\n".utf8))
    incoming = OutputTail(near)
  }

  mutating func read() { incoming.read() }

  /// What the check has told, a JSON object a line.
  var records: String {
    incoming.text.split(separator: "\n").filter { $0.hasPrefix(word) }
      .map { $0.dropFirst(word.count + 1) }.joined(separator: "\n")
  }
}
