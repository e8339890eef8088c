import Interleaving

/// The stand-in for Dispatch's group.
public final class DispatchGroup: Sendable {
  private let object: ControlledObject

  /// - Parameter maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(maker: String = #function) {
    object = ControlledObject("DispatchGroup", madeIn: maker, .group(entered: 0, emptied: 0))
  }

  /// Says that a member has begun.
  public func enter() { object.perform(.enter, "enters") }

  /// Says that a member has ended.
  public func leave() {
    if object.perform(.leave, "leaves") == .refused {
      object.control.trap("leaves \(object.name), which nobody has entered so often")
    }
  }

  /// Waits until the group is empty.
  public func wait() {
    object.control.perform(
      VisibleOperation([object.use(.findEmpty)]), "finds \(object.name) empty")
  }

  /// Waits until the group is empty, or until a moment of virtual time.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    object.control.perform(
      [object.use(.findEmpty)], before: timeout, "finds \(object.name) empty")
  }

  /// Submits a block to a queue when the group is empty.
  ///
  /// Real Dispatch submits it within the last `leave()`; here other strands may come in between.
  public func notify(
    qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], queue: DispatchQueue,
    execute work: @escaping @Sendable () -> Void
  ) {
    guard object.perform(.arrive, "asks to be told by") == .refused,
      case .group(_, let emptied)? = object.control.state(of: object.id)
    else { return queue.async(flags: flags, execute: work) }
    queue.async(when: VisibleOperation([object.use(.pass(emptied: emptied + 1))]), flags, work)
  }

  /// Submits a work item to a queue when the group is empty.
  public func notify(queue: DispatchQueue, work: DispatchWorkItem) {
    notify(flags: work.flags, queue: queue) { work.run() }
  }
}
