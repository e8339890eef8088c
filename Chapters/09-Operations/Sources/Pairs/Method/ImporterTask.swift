import Foundation

extension Awaited {
  /// Reads photos from files, by a method that a task calls.
  struct Importer: Sendable {
    /// - Returns: A task, which throws if the file cannot be read.
    func begin(_ path: String) -> Task<Photo, any Error> {
      Task { try importPhoto(at: path) }
    }

    private func importPhoto(at path: String) throws -> Photo {
      let bytes = try Data(contentsOf: URL(filePath: path))
      return Photo(name: path, bytes: [UInt8](bytes))
    }
  }
}
