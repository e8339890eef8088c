import Dispatch

extension CalledBack {
  /// Shows the person that was asked for last.
  // Sendable because what changes is used on the main queue only, and in `deinit`, when nobody else has the screen.
  final class PersonScreen: @unchecked Sendable {
    private(set) var content = PersonContent.empty
    private let indicator: BusyIndicator
    private let load: @Sendable (Int, @escaping Completion<Person?>) -> Cancel
    private var cancel: Cancel?
    private var latest = 0

    /// - Parameter load: Finds a person, and calls back once, on the main queue, after it has returned.
    init(
      indicator: BusyIndicator,
      load: @escaping @Sendable (Int, @escaping Completion<Person?>) -> Cancel
    ) {
      self.indicator = indicator
      self.load = load
    }

    deinit { cancel?() }

    /// Call it on the main queue.
    func show(_ id: Int) {
      dispatchPrecondition(condition: .onQueue(.main))
      leave()
      let number = latest
      indicator.begin()
      cancel = load(id) { [weak self, indicator] result in
        indicator.end()
        guard let self, number == latest else { return }
        cancel = nil
        content = PersonContent(result)
      }
    }

    /// The user goes elsewhere. Call it on the main queue.
    func leave() {
      latest += 1
      cancel?()
      cancel = nil
    }
  }
}
