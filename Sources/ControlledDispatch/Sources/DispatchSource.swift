import Interleaving

/// The stand-in for Dispatch's source: timers, sources of the program's own data, and sources that watch a descriptor of the
/// explorer's ``Kernel``, or a signal.
///
/// It begins inactive. What arrives is handed to its handler on its queue, one call at a time. What arrives
/// before the handler begins is merged; what arrives while it runs brings another call.
public final class DispatchSource: DispatchSourceTimer, DispatchSourceUserDataAdd,
  DispatchSourceUserDataOr, DispatchSourceUserDataReplace, DispatchSourceRead, DispatchSourceWrite,
  DispatchSourceSignal
{
  /// How a timer is made; of no effect here.
  public struct TimerFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Asks for leeway to be ignored.
    public static let strict = TimerFlags(rawValue: 1)
  }

  let core: SourceCore

  private init(_ kind: SourceState.Kind, _ queue: DispatchQueue?, number: Int32 = 0) {
    core = SourceCore(kind, queue, number: number)
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

  /// Makes a source that fires while its descriptor can be read, and hands over how many bytes there are: 0 at the end, or
  /// if somebody else has read them.
  ///
  /// It does so again and again until it is cancelled. That nothing has changed since is told once more at any step, and
  /// then only when nothing else can go on.
  ///
  /// - Parameters:
  ///   - fileDescriptor: What it watches, by the ``Kernel``; of one that is not open, or that stands for a folder or the
  ///     null device, it is told nothing.
  ///   - queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeReadSource(
    fileDescriptor: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceRead { DispatchSource(.read, queue, number: fileDescriptor) }

  /// Makes a source that fires while its descriptor can be written, and hands over how many bytes there is room for: 0 if
  /// nobody reads them any more.
  ///
  /// - Parameters:
  ///   - fileDescriptor: What it watches, by the ``Kernel``, as a read source does.
  ///   - queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeWriteSource(
    fileDescriptor: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceWrite { DispatchSource(.write, queue, number: fileDescriptor) }

  /// Makes a source that fires when the process has sent a signal to itself by the ``Kernel``, once for several that come
  /// before Dispatch has told of them.
  ///
  /// What is done with the signal otherwise does not change, but for the first source of a signal: from where it is
  /// registered, no action is taken but that.
  ///
  /// - Parameters:
  ///   - signal: Its number; of one that there is not, nothing is told.
  ///   - queue: Where its handlers run; nil for a queue that nobody else uses.
  public static func makeSignalSource(
    signal: Int32, queue: DispatchQueue? = nil
  ) -> any DispatchSourceSignal { DispatchSource(.signal, queue, number: signal) }

  /// Lets the next handlers run on another queue.
  public func setTarget(queue: DispatchQueue) {
    core.act("sets the target of") { $0.queue = queue }
  }

  // MARK: What is not modelled

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
