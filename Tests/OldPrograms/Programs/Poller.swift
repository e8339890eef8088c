import Dispatch

/// Asks again and again, with pauses.
///
/// Its known bug: it is released while it pauses, and its timer with it. Dispatch lets nobody release a suspended
/// source.
extension Wrong {
  final class Poller: @unchecked Sendable {
    // Sendable: `isPaused` is used on `queue` only.
    private let queue = DispatchQueue(label: "poller")
    private let timer: any DispatchSourceTimer
    private var isPaused = true

    init(every interval: DispatchTimeInterval, poll: @escaping @Sendable () -> Void) {
      timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.setEventHandler(handler: poll)
    }

    deinit { timer.cancel() }

    func start() {
      queue.sync {
        guard isPaused else { return }
        isPaused = false
        timer.resume()
      }
    }

    func pause() {
      queue.sync {
        guard !isPaused else { return }
        isPaused = true
        timer.suspend()
      }
    }
  }
}

extension Right {
  final class Poller: @unchecked Sendable {
    // Sendable: `isPaused` is used on `queue` only.
    private let queue = DispatchQueue(label: "poller")
    private let timer: any DispatchSourceTimer
    private var isPaused = true

    init(every interval: DispatchTimeInterval, poll: @escaping @Sendable () -> Void) {
      timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + interval, repeating: interval)
      timer.setEventHandler(handler: poll)
    }

    deinit {
      timer.setEventHandler {}
      timer.cancel()
      if isPaused { timer.resume() }
    }

    func start() {
      queue.sync {
        guard isPaused else { return }
        isPaused = false
        timer.resume()
      }
    }

    func pause() {
      queue.sync {
        guard !isPaused else { return }
        isPaused = true
        timer.suspend()
      }
    }
  }
}
