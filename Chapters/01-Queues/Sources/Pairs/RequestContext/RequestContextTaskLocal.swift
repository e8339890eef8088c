extension Tasked {
  /// The number of the request that code works for, kept by the task that it runs in.
  enum RequestContext {
    @TaskLocal static var request: Int?
  }
}
