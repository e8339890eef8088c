import Dispatch

extension Waiting {
  /// Makes a preview on a background queue; whoever asks for it blocks until it is there.
  final class Preview: @unchecked Sendable {
    // `made` is written before `leave` and read after `wait`, which makes it safe to share.
    private var made = ""
    private let group = DispatchGroup()

    init(_ make: @escaping @Sendable () -> String) {
      group.enter()
      DispatchQueue.global(qos: .background).async { [self] in
        made = make()
        group.leave()
      }
    }

    var image: String {
      group.wait()
      return made
    }
  }
}
