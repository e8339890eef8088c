import Foundation
import Synchronization

/// What somebody wants, and how urgently, which may change while it waits.
final class PictureRequest: Sendable {
  let url: URL
  private let state: Mutex<Urgency>

  init(_ url: URL, _ urgency: Urgency = .visible) {
    self.url = url
    state = Mutex(urgency)
  }

  var urgency: Urgency {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
