public actor UploadLogActor: UploadLog {
  public private(set) var names: [String] = []

  public init() {}

  public func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    pause()
    names.append(name)
  }
}
