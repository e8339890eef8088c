/// Decodes in an actor: of those that wait, the task with the highest priority is served next.
public actor DecoderActor: Decoder {
  public private(set) var decoded: [String] = []

  public init() {}

  public func decode(
    _ photo: String, isVisible: Bool, inside pause: @escaping @Sendable () -> Void
  ) -> String {
    pause()
    decoded.append(photo)
    return "decoded \(photo)"
  }
}
