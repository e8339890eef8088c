/// One session for the whole process: the language makes a `static let` once, on first use, and
/// whoever comes meanwhile waits.
public struct SessionStoreStaticLet: SessionStore {
  private static let shared = Session()

  public init() {}

  public var session: Session { Self.shared }
}
