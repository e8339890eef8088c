import Foundation

extension Notification.Name {
  static let contentAdded = Notification.Name("com.example.photos.content-added")
}

extension Barriered.PhotoManager {
  /// The one manager of the app. That it is made once says nothing of its contents: what guards those is the queue.
  static let shared = Barriered.PhotoManager {
    NotificationCenter.default.post(name: .contentAdded, object: nil)
  }
}

extension Isolated.PhotoManager {
  static let shared = Isolated.PhotoManager()
}
