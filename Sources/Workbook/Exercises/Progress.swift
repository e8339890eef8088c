import Foundation

/// What a learner has solved and which hints were shown, in a small file of the working folder.
///
/// The file is replaced in one step, so a program that is killed leaves the old one or the new one.
/// Two programs that change it at once take turns.
public struct Progress: Sendable {
  /// What the file holds.
  struct Record: Codable, Equatable, Sendable {
    var version = 1
    /// The exercises that were solved, and when they were first.
    var solved: [String: Date] = [:]
    /// How many hints were shown, by exercise.
    var hints: [String: Int] = [:]
  }

  static let fileName = ".workbook-progress.json"

  private let folder: URL
  private var file: URL { folder.appending(path: Self.fileName) }

  /// - Parameter folder: The working folder.
  init(in folder: URL) {
    self.folder = folder
  }

  /// What is in the file; a new record if there is none.
  ///
  /// - Throws: ``Damaged`` after a file that cannot be read was set aside.
  func read() throws -> Record {
    try locked { try readUnlocked() }
  }

  /// Changes the record and writes it, in one step for all programs that do so.
  ///
  /// - Returns: The record as it is then.
  /// - Throws: ``Damaged``, or an error of the file system.
  @discardableResult
  func update(_ change: (inout Record) -> Void) throws -> Record {
    try locked {
      var record = try readUnlocked()
      let old = record
      change(&record)
      if record != old { try Self.coder.encode(record).write(to: file, options: .atomic) }
      return record
    }
  }

  private func readUnlocked() throws -> Record {
    guard FileManager.default.fileExists(atPath: file.path) else { return Record() }
    let data = try Data(contentsOf: file)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    if let record = try? decoder.decode(Record.self, from: data), record.version == 1 {
      return record
    }
    let aside = file.firstFree { "\(Self.fileName).damaged-\($0)" }
    try FileManager.default.moveItem(at: file, to: aside)
    throw Damaged(aside: aside)
  }

  private static var coder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }

  /// The folder itself is what is locked, so that no further file is needed.
  private func locked<R>(_ body: () throws -> R) throws -> R {
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ExerciseError("\(folder.path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX) == -1 && errno == EINTR {}
    return try body()
  }

  /// The file could not be read, and stands elsewhere now.
  struct Damaged: Error {
    let aside: URL
  }
}

extension URL {
  /// A file beside this one whose name, made from a number from 1 on, is not taken.
  func firstFree(_ name: @escaping (Int) -> String) -> URL {
    let folder = deletingLastPathComponent()
    return (1...).lazy.map { folder.appending(path: name($0)) }
      .first { !FileManager.default.fileExists(atPath: $0.path) }!
  }
}
