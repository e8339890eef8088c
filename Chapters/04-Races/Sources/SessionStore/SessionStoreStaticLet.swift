/// One session for the whole process: the language makes a `static let` once, on first use, and
/// whoever comes meanwhile waits. It cannot be told how to open its session.
public struct SessionStoreStaticLet: Sendable {
  private static let shared = Session()

  public init() {}

  public var session: Session { Self.shared }
}
