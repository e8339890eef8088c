import Interleaving

/// The stand-in for Dispatch's source: timers, and sources of the program's own data.
///
/// It begins inactive. What arrives is handed to its handler on its queue, one call at a time. What arrives
/// before the handler begins is merged; what arrives while it runs brings another call.
public final class DispatchSource: DispatchSourceTimer, DispatchSourceUserDataAdd,
  DispatchSourceUserDataOr, DispatchSourceUserDataReplace
{
  /// How a timer is made; of no effect here.
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Asks for leeway to be ignored.
    public static let strict = TimerFlags(rawValue: 1)
  }

  let core: SourceCore

  private init(_ kind: SourceState.Kind, _ queue: DispatchQueue?) {
    core = SourceCore(kind, queue)
  }

  deinit { core.release() }

  /// Makes a timer, which fires once it is scheduled and activated, and as long as somebody keeps it.
  ///
  /// - Parameters:
  ///   - flags: Of no effect here.
  ///   - queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeTimerSource(
    flags: TimerFlags = [], queue: DispatchQueue? = nil
  ) -> any DispatchSourceTimer { DispatchSource(.timer, queue) }

  /// Makes a source that adds up what it is given.
  ///
  /// - Parameter queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeUserDataAddSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataAdd { DispatchSource(.add, queue) }

  /// Makes a source that joins the bits that it is given.
  ///
  /// - Parameter queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeUserDataOrSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataOr { DispatchSource(.or, queue) }

  /// Makes a source that keeps the last that it is given.
  ///
  /// - Parameter queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeUserDataReplaceSource(
    queue: DispatchQueue? = nil
  ) -> any DispatchSourceUserDataReplace { DispatchSource(.replace, queue) }

  /// Lets the next handlers run on another queue.
  public func setTarget(queue: DispatchQueue) {
    core.act("sets the target of") { $0.queue = queue }
  }

  // MARK: What is not modelled

  @available(*, unavailable, message: "the explorer has no stand-in for read sources")
  public static func makeReadSource(fileDescriptor: Int32, queue: DispatchQueue? = nil) -> Never {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "the explorer has no stand-in for write sources")
  public static func makeWriteSource(fileDescriptor: Int32, queue: DispatchQueue? = nil) -> Never {
    fatalError("unavailable")
  }

  @available(*, unavailable, message: "the explorer has no stand-in for signal sources")
  public static func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> Never {
    fatalError("unavailable")
  }

  #if canImport(Darwin)
    @available(*, unavailable, message: "the explorer has no stand-in for file-system sources")
    public static func makeFileSystemObjectSource(
      fileDescriptor: Int32, eventMask: UInt, queue: DispatchQueue? = nil
    ) -> Never { fatalError("unavailable") }

    @available(*, unavailable, message: "the explorer has no stand-in for process sources")
    public static func makeProcessSource(
      identifier: Int32, eventMask: UInt, queue: DispatchQueue? = nil
    ) -> Never { fatalError("unavailable") }
  #endif
}
