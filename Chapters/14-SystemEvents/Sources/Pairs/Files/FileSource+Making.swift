import Dispatch

/// Tells what happens to an open file, as Dispatch's file-system source does, which Linux lacks.
typealias FileSource = EventSource<FileWatch>

extension FileSource {
  /// Makes a source that is inactive.
  ///
  /// - Parameter queue: Where handlers run; `nil` for a global queue.
  /// - Throws: ``SystemError`` if the descriptor is closed or cannot be watched, or on Linux for `revoked`. The
  ///   descriptor is the caller's, in any case.
  convenience init(
    fileDescriptor: Int32, eventMask: FileEvents, queue: DispatchQueue? = nil
  ) throws(SystemError) {
    precondition(!eventMask.isEmpty, "name the events to be told of")
    let watch = try FileWatch(descriptor: fileDescriptor, mask: eventMask, queue: queue)
    self.init(handle: fileDescriptor, mask: eventMask, watch: watch)
  }
}
