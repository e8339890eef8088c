extension Isolated {
  actor SessionStore {
    private(set) lazy var session = Session()
  }
}
