extension AwaitedTask {
  /// Makes a preview in a background task; whoever asks for it awaits the task, and raises it.
  final class Preview: Sendable {
    private let task: Task<String, Never>

    init(_ make: @escaping @Sendable () -> String) {
      task = Task.detached(priority: .background) { make() }
    }

    var image: String {
      get async { await task.value }
    }
  }
}
