extension OffMain {
  /// Takes the answer on the service's thread, while the main thread draws.
  // Sendable is wrong on purpose: `isLoading` is used on two threads. It runs in a child process, or under the explorer.
  final class PersonScreen: @unchecked Sendable {
    private(set) var isLoading = false
    private let service: any PersonService

    init(service: any PersonService) { self.service = service }

    func show(_ id: Int) {
      isLoading = true
      _ = service.person(id) { [weak self] _ in self?.isLoading = false }
    }
  }
}
