import Dispatch

extension Unnumbered {
  /// Shows the answer that comes last, whoever was asked for last.
  // Sendable because `content` is used on the main queue only.
  final class PersonScreen: @unchecked Sendable {
    private(set) var content = PersonContent.empty
    private let load: @Sendable (Int, @escaping Completion<Person?>) -> Cancel

    init(load: @escaping @Sendable (Int, @escaping Completion<Person?>) -> Cancel) {
      self.load = load
    }

    func show(_ id: Int) {
      _ = load(id) { [weak self] result in self?.content = PersonContent(result) }
    }
  }
}
