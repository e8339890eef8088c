import Interleaving

/// What every source can do.
public protocol DispatchSourceProtocol {
  /// Says what to do with what arrives; nil for nothing.
  func setEventHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  /// Says what to do with what arrives.
  func setEventHandler(handler: DispatchWorkItem)
  /// Says what to do, once, after the source was cancelled and no handler runs.
  func setCancelHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  /// Says what to do, once, after the source was cancelled and no handler runs.
  func setCancelHandler(handler: DispatchWorkItem)
  /// Says what to do, once, when the source is active.
  func setRegistrationHandler(
    qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: DispatchSourceHandler?)
  /// Says what to do, once, when the source is active.
  func setRegistrationHandler(handler: DispatchWorkItem)
  /// Lets it begin; of no effect later.
  func activate()
  /// Keeps handlers from beginning until it is resumed as often.
  func suspend()
  /// Undoes one `suspend()`, or activates it.
  func resume()
  /// Lets nothing more arrive, for ever.
  func cancel()
  /// Whether it was cancelled.
  var isCancelled: Bool { get }
  /// What the handler was last handed: of a timer, how often it was due, of what watches a descriptor, how many bytes there
  /// were; 0 once the source is cancelled.
  var data: UInt { get }
  /// 0 with the sources that are modelled.
  var mask: UInt { get }
  /// The descriptor or the signal that it watches; 0 if it watches none.
  var handle: UInt { get }
}

/// What a source calls. It is no block as the real one is: on Linux, nothing can be made of the type of a block.
public typealias DispatchSourceHandler = () -> Void

/// A source that time brings to fire.
public protocol DispatchSourceTimer: DispatchSourceProtocol {}

/// A source that watches a descriptor that is read.
public protocol DispatchSourceRead: DispatchSourceProtocol {}

/// A source that watches a descriptor that is written.
public protocol DispatchSourceWrite: DispatchSourceProtocol {}

/// A source that is told of a signal.
public protocol DispatchSourceSignal: DispatchSourceProtocol {}

/// A source that adds up.
public protocol DispatchSourceUserDataAdd: DispatchSourceProtocol {
  /// Adds to what the handler is handed; 0 calls nothing.
  func add(data: UInt)
}

/// A source that joins bits.
public protocol DispatchSourceUserDataOr: DispatchSourceProtocol {
  /// Joins bits with what the handler is handed; 0 calls nothing.
  func or(data: UInt)
}

/// A source that keeps the last.
public protocol DispatchSourceUserDataReplace: DispatchSourceProtocol {
  /// Replaces what the handler is handed; 0 takes it back.
  func replace(data: UInt)
}

// As with the real ones, what a source does is in extensions; a type of one's own brings its own.

extension DispatchSourceProtocol {
  fileprivate var core: SourceCore { (self as! DispatchSource).core }

  public func setEventHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) { core.set(.event, handler.map { .init($0, flags) }) }

  public func setEventHandler(handler: DispatchWorkItem) { core.set(.event, .init(handler)) }

  public func setCancelHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) { core.set(.cancellation, handler.map { .init($0, flags) }) }

  public func setCancelHandler(handler: DispatchWorkItem) {
    core.set(.cancellation, .init(handler))
  }

  public func setRegistrationHandler(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
    handler: DispatchSourceHandler?
  ) { core.set(.registration, handler.map { .init($0, flags) }) }

  public func setRegistrationHandler(handler: DispatchWorkItem) {
    core.set(.registration, .init(handler))
  }

  public func activate() { core.act("activates") { $0.activate() } }
  public func suspend() { core.act("suspends") { $0.suspensions += 1 } }
  public func resume() { core.resume() }
  public func cancel() { core.cancel() }
  public var isCancelled: Bool { core.read("asks whether cancelled:").isCancelled }
  public var data: UInt { core.read("asks for data of").data }
  public var mask: UInt { 0 }
  public var handle: UInt { UInt(core.number) }
}

extension DispatchSourceUserDataAdd {
  public func add(data: UInt) { core.arrive(data, as: .add, "adds \(data) to") }
}

extension DispatchSourceUserDataOr {
  public func or(data: UInt) { core.arrive(data, as: .or, "joins \(data) with") }
}

extension DispatchSourceUserDataReplace {
  public func replace(data: UInt) { core.arrive(data, as: .replace, "replaces by \(data)") }
}

extension DispatchSourceTimer {
  /// Says when to fire, instead of what was said before.
  ///
  /// - Parameters:
  ///   - deadline: When first; what is past fires at once, and counts what was missed.
  ///   - interval: How long after that again and again, 0 or more; a millisecond at the least.
  ///   - leeway: Of no effect here.
  public func schedule(
    deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { core.schedule(deadline, interval.milliseconds) }

  /// Says when to fire, instead of what was said before.
  ///
  /// - Parameters:
  ///   - deadline: When first; what is past fires at once, and counts what was missed.
  ///   - interval: After how many seconds again and again, 0 or more; a millisecond at the least, and
  ///     infinity for never.
  ///   - leeway: Of no effect here.
  public func schedule(
    deadline: DispatchTime, repeating interval: Double,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { core.schedule(deadline, seconds: interval) }

  /// Says when to fire, instead of what was said before.
  ///
  /// - Parameters:
  ///   - wallDeadline: When first; what is past fires at once, and counts what was missed.
  ///   - interval: How long after that again and again, 0 or more; a millisecond at the least.
  ///   - leeway: Of no effect here.
  public func schedule(
    wallDeadline: DispatchWallTime, repeating interval: DispatchTimeInterval = .never,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { core.schedule(wallDeadline.moment, interval.milliseconds) }

  /// Says when to fire, instead of what was said before.
  ///
  /// - Parameters:
  ///   - wallDeadline: When first; what is past fires at once, and counts what was missed.
  ///   - interval: After how many seconds again and again, 0 or more; a millisecond at the least, and
  ///     infinity for never.
  ///   - leeway: Of no effect here.
  public func schedule(
    wallDeadline: DispatchWallTime, repeating interval: Double,
    leeway: DispatchTimeInterval = .nanoseconds(0)
  ) { core.schedule(wallDeadline.moment, seconds: interval) }
}
