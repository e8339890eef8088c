// What each pair promises. A requirement that is `async` is met by a synchronous method too, so locks, queues
// and actors share one contract.

/// A search index: photos are added one at a time, and each is found afterwards.
protocol Indexing: AnyObject, Sendable {
  func add(_ photo: String) async
  var photos: [String] { get async }
}

/// An index whose callers block, so that threads can use it.
protocol BlockingIndexing: Indexing {
  func add(_ photo: String)
  var photos: [String] { get }
}

extension Counted.Index: BlockingIndexing {}
extension Locked.Index: BlockingIndexing {}
extension Queued.Index: BlockingIndexing {}
extension Mutexed.Index: BlockingIndexing {}
extension Isolated.Index: Indexing {}

/// Lets one section run at a time, in the order in which they came. A section may await.
protocol Turning: AnyObject, Sendable {
  func take(_ section: @escaping @Sendable () async -> Void) async
}

extension Counted.Turn: Turning {}
extension Chained.Turn: Turning {}
