/// The actors that an execution has met; an actor's number is its place.
struct ActorTable {
  private struct Entry {
    let reference: ActorReference
    /// The actor itself where it matters that a dead one's address may be another's.
    weak var object: AnyObject?
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  subscript(index: Int) -> ActorReference { entries[index].reference }

  /// The number of an actor.
  ///
  /// - Parameter isTracked: Whether a dead actor must be told from a new one at its address; it costs
  ///   time.
  mutating func index(of actor: ActorReference, isTracked: Bool) -> Int {
    let known = entries.indices.last { entries[$0].reference.address == actor.address }
    if let known, !isTracked || entries[known].object != nil { return known }
    entries.append(Entry(reference: actor, object: isTracked ? actor.object : nil))
    return entries.count - 1
  }

  /// The actor, while it is alive and tracked.
  func object(at index: Int) -> (any Actor)? { entries[index].object as? any Actor }

  mutating func reset() { entries.removeAll(keepingCapacity: true) }
}
