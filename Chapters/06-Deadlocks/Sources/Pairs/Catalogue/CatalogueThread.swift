import Foundation

extension WaitingApart {
  /// Where the code that asks has to stay synchronous: it has a thread of its own, and blocks that one.
  struct Catalogue: Sendable {
    private let blocking: Waiting.Catalogue

    init(_ server: @escaping PriceServer) {
      blocking = Waiting.Catalogue(server)
    }

    func printList(of items: [String], completion: @escaping @Sendable ([Int]) -> Void) {
      Thread.detachNewThread { completion(items.map(blocking.price)) }
    }
  }
}
