import Foundation

/// Tells of the end of a process, as Dispatch's process source does, which Linux lacks.
///
/// It does not reap a child. Reap it in the cancel handler: its end is watched no more by then.
typealias ProcessSource = EventSource<ProcessWatch>

extension ProcessSource {
  /// Makes a source that is inactive.
  ///
  /// - Parameter queue: Where handlers run; `nil` for a global queue.
  /// - Throws: ``SystemError`` if there is no such process, or on Linux for all events but `exit`.
  convenience init(
    identifier: pid_t, eventMask: ProcessEvents, queue: DispatchQueue? = nil
  ) throws(SystemError) {
    precondition(!eventMask.isEmpty, "name the events to be told of")
    let watch = try ProcessWatch(process: identifier, mask: eventMask, queue: queue)
    self.init(handle: identifier, mask: eventMask, watch: watch)
  }
}
