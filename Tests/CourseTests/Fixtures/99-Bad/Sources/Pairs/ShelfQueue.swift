import Foundation

#if EXPLORED
  import Dispatch
#endif

public final class Shelf {
  let lock = Foundation.NSLock()
  var books = Shared(0, "books")

  func add(pause: () -> Void) {
    books.value += 1
  }
}
