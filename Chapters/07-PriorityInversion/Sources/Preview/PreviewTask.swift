/// Makes a preview in a background task; whoever asks for it awaits the task, and raises it.
public final class PreviewTask: Preview {
  private let task: Task<String, Never>

  public init(_ make: @escaping @Sendable () -> String) {
    task = Task.detached(priority: .background) { make() }
  }

  public var image: String {
    get async { await task.value }
  }
}
