#if canImport(Darwin)
  import Foundation

  /// What a file source is on Apple systems: Dispatch's own.
  ///
  /// Untested: it was written for Apple systems without one at hand.
  // Sendable because Dispatch's sources may be used on any thread.
  final class FileWatch: EventWatch, @unchecked Sendable {
    private let native: any DispatchSourceFileSystemObject

    init(descriptor: Int32, mask: FileEvents, queue: DispatchQueue?) throws(SystemError) {
      // Dispatch says nothing of a bad descriptor: its source would stay silent for ever.
      guard FileFacts(descriptor: descriptor) != nil else {
        throw .watchingFile("descriptor \(descriptor)", call: "fstat", code: errno)
      }
      native = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor,
        eventMask: DispatchSource.FileSystemEvent(rawValue: mask.rawValue), queue: queue)
    }

    var source: any DispatchSourceProtocol { native }
    var data: FileEvents { FileEvents(rawValue: native.data.rawValue) }
  }
#endif
