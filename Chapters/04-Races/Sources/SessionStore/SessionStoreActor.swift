public actor SessionStoreActor: SessionStore {
  private let open: @Sendable () -> Session
  public private(set) lazy var session = open()

  public init(open: @escaping @Sendable () -> Session) {
    self.open = open
  }
}
