import Foundation

#if canImport(ObjectiveC)
  extension Depending {
    /// Reads photos from files, by a method that an operation calls. For Apple's systems only, and untested.
    final class Importer: NSObject, @unchecked Sendable {
      // Sendable: nothing of it changes.
      private let queue = OperationQueue()
      private let keep: @Sendable (Photo) -> Void

      init(keep: @escaping @Sendable (Photo) -> Void) { self.keep = keep }

      func begin(_ path: String) {
        queue.addOperation(
          InvocationOperation(target: self, selector: #selector(importPhoto(at:)), object: path))
      }

      @objc private func importPhoto(at path: String) {
        autoreleasepool {
          guard let bytes = FileManager.default.contents(atPath: path) else { return }
          keep(Photo(name: path, bytes: [UInt8](bytes)))
        }
      }
    }
  }
#endif
