/// A search index as an actor.
public actor IndexActor: Index {
  public private(set) var photos: [String] = []

  public init() {}

  public func add(_ photo: String, inside pause: @Sendable () -> Void) {
    var photos = photos
    pause()
    photos.append(photo)
    self.photos = photos
  }
}
