extension TooEarly {
  /// Believes that an answer comes later, and gets one from memory at once.
  // Sendable because what changes is used on the main queue only.
  final class PersonScreen: @unchecked Sendable {
    private(set) var content = PersonContent.empty
    private(set) var isLoading = false
    private let load: @Sendable (Int, @escaping Completion<Person?>) -> Cancel

    init(load: @escaping @Sendable (Int, @escaping Completion<Person?>) -> Cancel) {
      self.load = load
    }

    func show(_ id: Int) {
      _ = load(id) { [weak self] result in
        self?.isLoading = false
        self?.content = PersonContent(result)
      }
      isLoading = true
    }
  }
}
