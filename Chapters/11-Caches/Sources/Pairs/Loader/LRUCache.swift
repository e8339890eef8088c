/// Keeps values up to a cost. The one that was used least recently goes first. The order is a ring of indices in one
/// array, so there are no cycles of references.
struct LRUCache<Key: Hashable, Value> {
  private struct Node {
    var entry: (key: Key, value: Value, cost: Int)?
    var older: Int
    var newer: Int
  }

  /// The first node has no entry: after it in the ring comes the oldest one, and before it the newest.
  private var nodes = [Node(entry: nil, older: 0, newer: 0)]
  private var free: [Int] = []
  private var places: [Key: Int] = [:]
  private(set) var cost = 0
  let limit: Int

  /// - Parameter limit: The most that the values kept cost together; 0 or more.
  init(limit: Int) {
    precondition(limit >= 0, "a limit is 0 or more")
    self.limit = limit
  }

  var count: Int { places.count }

  /// The value, which is then the one used most recently. O(1).
  mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    unlink(place)
    linkAsNewest(place)
    return nodes[place].entry!.value
  }

  /// Keeps a value, unless it costs more than the limit alone. O(1) for each value that comes or goes.
  ///
  /// - Returns: The keys of the values that had to go, the oldest first.
  @discardableResult
  mutating func insert(_ value: Value, for key: Key, cost newCost: Int) -> [Key] {
    precondition(newCost >= 0, "a cost is 0 or more")
    removeValue(for: key)
    guard newCost <= limit else { return [] }
    var gone: [Key] = []
    while cost > limit - newCost {
      let oldest = nodes[nodes[0].newer].entry!.key
      removeValue(for: oldest)
      gone.append(oldest)
    }
    let place = free.popLast() ?? nodes.endIndex
    if place == nodes.endIndex { nodes.append(Node(entry: nil, older: 0, newer: 0)) }
    nodes[place].entry = (key, value, newCost)
    places[key] = place
    cost += newCost
    linkAsNewest(place)
    return gone
  }

  /// Gives a value back. O(1).
  @discardableResult
  mutating func removeValue(for key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    let entry = nodes[place].entry.take()!
    unlink(place)
    free.append(place)
    cost -= entry.cost
    return entry.value
  }

  private mutating func unlink(_ place: Int) {
    let (older, newer) = (nodes[place].older, nodes[place].newer)
    nodes[older].newer = newer
    nodes[newer].older = older
  }

  private mutating func linkAsNewest(_ place: Int) {
    let newest = nodes[0].older
    (nodes[place].older, nodes[place].newer) = (newest, 0)
    nodes[newest].newer = place
    nodes[0].older = place
  }
}
