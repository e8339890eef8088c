/// The actors that an execution has met; an actor's number is its index.
struct ActorTable {
  private struct Entry {
    let reference: ActorReference
    /// What it is in every execution.
    let object: ObjectID
    /// The actor itself where it matters that a dead one's address may be another's.
    weak var instance: AnyObject?
  }

  private var entries: [Entry] = []
  /// Whether a dead actor is told from a new one at its address, which costs time.
  private let isTracking: Bool

  /// - Parameter isTracking: Whether a dead actor is told from a new one at its address. It is decided before
  ///   the first step: an actor that was met before would be taken for two.
  init(isTracking: Bool) { self.isTracking = isTracking }

  var count: Int { entries.count }

  subscript(index: Int) -> ActorReference { entries[index].reference }

  /// The number of an actor.
  ///
  /// - Parameter identify: Tells what a new one is in every execution.
  mutating func index(of actor: ActorReference, identify: (UnsafeRawPointer) -> ObjectID) -> Int {
    let known = entries.indices.last { entries[$0].reference.address == actor.address }
    if let known, !isTracking || entries[known].instance != nil { return known }
    entries.append(
      Entry(
        reference: actor, object: identify(actor.address),
        instance: isTracking ? actor.object : nil))
    return entries.count - 1
  }

  /// What an actor is in every execution.
  func object(at index: Int) -> ObjectID { entries[index].object }

  /// The actor, while it is alive and tracked.
  func instance(at index: Int) -> (any Actor)? { entries[index].instance as? any Actor }
}
