import Foundation
import Interleaving

/// The stand-in for Dispatch's channel: reads and writes a stream of the explorer's ``Kernel`` from its first byte to its last,
/// and hands over what it has on queues of the program's own.
///
/// Reads are done one after another, and so are writes; reads do not wait for writes. Its descriptor is its own until the
/// cleanup handler is called.
public final class DispatchIO: Sendable {
  /// What a channel is for. Random access is not modelled.
  public enum StreamType: Sendable { case stream }

  /// How a channel is closed.
  public struct CloseFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Operations under way end with ECANCELED.
    public static let stop = CloseFlags(rawValue: 1)
  }

  /// What is told of an operation: whether it is done, the bytes that were read and not told of yet or are left to be
  /// written, and an error number.
  public typealias Handler = @Sendable (_ done: Bool, _ data: DispatchData?, _ error: Int32) -> Void

  private let core: IOCore

  /// Takes over a descriptor.
  ///
  /// - Parameters:
  ///   - type: That it is a stream.
  ///   - fileDescriptor: A descriptor of the ``Kernel``.
  ///   - queue: Where the cleanup handler runs.
  ///   - cleanupHandler: Called once with 0, when the channel is closed or nobody keeps it, and all operations are done.
  public init(
    type: StreamType, fileDescriptor: Int32, queue: DispatchQueue,
    cleanupHandler: @escaping @Sendable (_ error: Int32) -> Void
  ) {
    core = IOCore(fileDescriptor, queue, cleanupHandler)
  }

  deinit { core.close(stops: false) }

  /// The descriptor.
  public var fileDescriptor: Int32 { core.descriptor }

  /// Reads.
  ///
  /// - Parameters:
  ///   - offset: Of no effect with a stream.
  ///   - length: How many bytes, 0 or more; it ends earlier at the end of the stream.
  ///   - queue: Where the handler runs.
  ///   - ioHandler: Told of bytes whenever there are as many as the low water mark says, and of the end.
  public func read(
    offset: off_t, length: Int, queue: DispatchQueue, ioHandler: @escaping Handler
  ) { core.add(.read(length), .handler(ioHandler, queue)) }

  /// Writes.
  ///
  /// - Parameters:
  ///   - offset: Of no effect with a stream.
  ///   - data: What is written, all of it.
  ///   - queue: Where the handler runs.
  ///   - ioHandler: Told of the end only.
  public func write(
    offset: off_t, data: DispatchData, queue: DispatchQueue, ioHandler: @escaping Handler
  ) { core.add(.write(Array(data)), .handler(ioHandler, queue)) }

  /// Runs a block when all operations are done that were begun before, and before all that are begun later.
  public func barrier(execute block: @escaping @Sendable () -> Void) {
    core.add(.barrier, .block(block))
  }

  /// Says how many bytes a handler is told of at the least, but for the last.
  ///
  /// - Parameter lowWater: 0 or more; all unless it is said.
  public func setLimit(lowWater: Int) { core.act("sets a limit of") { $0.low = max(1, lowWater) } }

  /// Says how many bytes a handler is told of at most.
  ///
  /// - Parameter highWater: 1 or more; any number unless it is said.
  public func setLimit(highWater: Int) {
    core.act("sets a limit of") { $0.high = max(1, highWater) }
  }

  /// Takes no more operations; the cleanup handler is called when those are done that there are.
  ///
  /// - Parameter flags: Whether they end at once.
  public func close(flags: CloseFlags = []) { core.close(stops: flags.contains(.stop)) }
}
