public actor LibraryActor: Library {
  private var files: Set<String>
  private var titles: Set<String>

  public init(photos: Set<String>) {
    files = photos
    titles = photos
  }

  public func rename(_ name: String, to new: String, betweenQueues pause: @Sendable () -> Void) {
    if files.remove(name) != nil { files.insert(new) }
    pause()
    if titles.remove(name) != nil { titles.insert(new) }
  }

  public func delete(_ name: String, betweenQueues pause: @Sendable () -> Void) {
    titles.remove(name)
    pause()
    files.remove(name)
  }

  public var isConsistent: Bool { files == titles }
}
