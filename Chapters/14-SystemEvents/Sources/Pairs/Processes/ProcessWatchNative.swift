#if canImport(Darwin)
  import Dispatch
  import Foundation

  /// What a process source is on Apple systems: Dispatch's own.
  ///
  /// Untested: it was written for Apple systems without one at hand.
  // Sendable because Dispatch's sources may be used on any thread.
  final class ProcessWatch: EventWatch, @unchecked Sendable {
    private static let rows: [(ProcessEvents, DispatchSource.ProcessEvent)] = [
      (.exit, .exit), (.fork, .fork), (.exec, .exec), (.signal, .signal),
    ]

    private let native: any DispatchSourceProcess

    init(process: pid_t, mask: ProcessEvents, queue: DispatchQueue?) throws(SystemError) {
      // Dispatch says nothing of a number that no process has.
      guard process > 0, kill(process, 0) == 0 || errno == EPERM else {
        throw .watchingProcess(process, call: "kill", code: process > 0 ? errno : EINVAL)
      }
      let events = Self.rows.filter { mask.contains($0.0) }.map(\.1)
      native = DispatchSource.makeProcessSource(
        identifier: process, eventMask: DispatchSource.ProcessEvent(events), queue: queue)
    }

    var source: any DispatchSourceProtocol { native }

    var data: ProcessEvents {
      let events = native.data
      return ProcessEvents(Self.rows.filter { events.contains($0.1) }.map(\.0))
    }

    func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
      native.setCancelHandler(handler: handler)
    }

    func activate() {}
    func look() {}
    func cancel() {}
  }
#endif
