extension Static {
  enum Once {
    /// Made on first use, once for the process; callers that come in the meantime wait. The language promises that for
    /// the initialisation, and nothing for what is done to the object later.
    static let filters = Filters(["chrome", "mono", "sepia"])
  }
}
