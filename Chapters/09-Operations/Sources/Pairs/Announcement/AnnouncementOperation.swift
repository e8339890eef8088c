import Foundation

extension Depending {
  /// Tells others of an album, once its photos are uploaded and there is a connection.
  final class AnnouncementOperation: Operation, @unchecked Sendable {
    // Sendable: nothing of its own changes.
    private let connection: Connection
    private let announce: @Sendable () -> Void

    init(over connection: Connection, announce: @escaping @Sendable () -> Void) {
      (self.connection, self.announce) = (connection, announce)
    }

    override var isReady: Bool { super.isReady && (isCancelled || connection.isUp) }

    override func main() {
      guard !isCancelled else { return }
      announce()
    }

    /// The connection has come.
    func connectionDidChange() {
      willChangeValue(for: \.isReady)
      didChangeValue(for: \.isReady)
    }
  }
}
