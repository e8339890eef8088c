import Foundation

/// A Thread that is watched: reports call it by its name.
///
/// Foundation's own loses the name that a thread is given before it starts, and one of more than 15 characters, and no
/// class can inherit from it (Linux, 6.3.1). What is asked of the running thread, such as `Thread.current`, is asked of
/// Foundation's.
public final class WatchedThread {
  private let real: Thread
  private let given: Guarded<String?>

  /// Makes a thread.
  ///
  /// - Parameter block: What it runs, once it is started.
  public init(block: @escaping @Sendable () -> Void) {
    let given = Guarded<String?>(nil)
    self.given = given
    real = Thread {
      ThreadRecord.at(ThreadRecord.key).pointee.begin(as: given)
      block()
    }
  }

  /// What it is called.
  public var name: String? {
    get { given { $0 } }
    set {
      given { $0 = newValue }
      real.name = newValue
    }
  }

  /// How large its stack is, in bytes.
  public var stackSize: Int {
    get { real.stackSize }
    set { real.stackSize = newValue }
  }

  /// How urgent it is.
  public var qualityOfService: QualityOfService {
    get { real.qualityOfService }
    set { real.qualityOfService = newValue }
  }

  /// Starts it.
  public func start() { real.start() }

  /// Asks it to end.
  public func cancel() { real.cancel() }

  /// Whether it was asked to end.
  public var isCancelled: Bool { real.isCancelled }

  /// Whether it has started and not ended.
  public var isExecuting: Bool { real.isExecuting }

  /// Whether it has ended.
  public var isFinished: Bool { real.isFinished }

  /// Runs a block on a thread of its own.
  public static func detachNewThread(_ block: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      ThreadRecord.at(ThreadRecord.key).pointee.begin(as: Guarded(nil))
      block()
    }
  }

  /// Whether the calling thread is the main one.
  public static var isMainThread: Bool { Thread.isMainThread }

  /// Lets the calling thread sleep.
  public static func sleep(forTimeInterval seconds: TimeInterval) {
    Thread.sleep(forTimeInterval: seconds)
  }
}
