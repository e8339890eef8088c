import ControlledDispatch  // its types are spelled as Foundation's, and the check gives the turns

/// A file that a disk keeps until it is removed.
struct TemporaryFile: Hashable, Sendable {
  let number: Int
}

/// Where temporary files are. It stays as it is.
protocol Disk: Sendable {
  /// Makes an empty file; it takes a while.
  func makeFile() throws -> TemporaryFile
  /// Renders a page and appends it; it takes a while.
  func append(page: Int, to file: TemporaryFile) throws
  /// Removes a file that is there.
  func remove(_ file: TemporaryFile)
}

/// Prints books. It stays as it is.
protocol PrintShop: Sendable {
  /// Sends a file, and returns the number of the order when the answer comes; until then it reads the file.
  func order(_ file: TemporaryFile) throws -> Int
  /// Takes an order back. Nobody else does that.
  func cancelOrder(_ number: Int)
}

/// What an order comes to.
enum Outcome: Sendable {
  case ordered(Int)
  case cancelled
  /// The disk or the shop has thrown this error.
  case failed(any Error)
}

/// Orders a photo book: the pages go into a temporary file, and the file to the print shop.
///
/// The check uses `TemporaryFile`, `Disk`, `PrintShop`, `Outcome`, `init(pages:disk:shop:)`, `outcome`, and what every
/// operation has.
final class BookOrder: Operation, @unchecked Sendable {
  // Sendable: the thread of `main` alone writes `outcome`, and others read it when the operation has finished.
  private let pages: Int
  private let disk: any Disk
  private let shop: any PrintShop
  /// What it has come to, to be read when it has finished.
  private(set) var outcome = Outcome.cancelled
  // region made
  // endregion

  /// - Parameter pages: How many, 0 or more; they are numbered from 1.
  init(pages: Int, disk: any Disk, shop: any PrintShop) {
    self.pages = pages
    self.disk = disk
    self.shop = shop
  }

  // region main
  override func main() {
    guard !isCancelled else { return }
    do {
      let file = try disk.makeFile()
      defer { disk.remove(file) }
      for page in 0..<pages {
        guard !isCancelled else { return }
        try disk.append(page: page + 1, to: file)
      }
      guard !isCancelled else { return }
      let number = try shop.order(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
