public actor SessionStoreActor: SessionStore {
  public private(set) lazy var session = Session()

  public init() {}
}
