#if canImport(Darwin)
  import Foundation

  /// What a process source is on Apple systems: Dispatch's own.
  ///
  /// Untested: it was written for Apple systems without one at hand.
  // Sendable because Dispatch's sources may be used on any thread.
  final class ProcessWatch: EventWatch, @unchecked Sendable {
    private let native: any DispatchSourceProcess

    init(process: pid_t, mask: ProcessEvents, queue: DispatchQueue?) throws(SystemError) {
      // Dispatch says nothing of a number that no process has.
      guard process > 0, kill(process, 0) == 0 || errno == EPERM else {
        throw .watchingProcess(process, call: "kill", code: process > 0 ? errno : EINVAL)
      }
      native = DispatchSource.makeProcessSource(
        identifier: process, eventMask: DispatchSource.ProcessEvent(rawValue: mask.rawValue),
        queue: queue)
    }

    var source: any DispatchSourceProtocol { native }
    var data: ProcessEvents { ProcessEvents(rawValue: native.data.rawValue) }
  }
#endif
