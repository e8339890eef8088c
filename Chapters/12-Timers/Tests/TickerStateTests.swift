import Dispatch
import Synchronization
import Testing
import Workbook

@testable import Timers

/// Every order of what can be done to a ticker, up to five, on the state machine and on a real source.
@Suite(.timeLimit(.minutes(30))) struct TickerStateTests {
  enum Deed: CaseIterable { case start, pause, resume, stop, event }

  static let sequences: [[Deed]] = (1...5).reduce(into: [[[]]]) { all, _ in
    all.append(all.last!.flatMap { sequence in Deed.allCases.map { sequence + [$0] } })
  }.flatMap(\.self)

  @Test func `suspensions are balanced, and a stop leaves nothing suspended or inactive`() {
    #expect(Self.sequences.count == 1 + 5 + 25 + 125 + 625 + 3_125)
    for sequence in Self.sequences {
      var (state, source) = (TickerState(), Source())
      for deed in sequence + [.stop] {
        switch deed {
        case .start: source.obey(state.start())
        case .pause: source.obey(state.pause())
        case .resume: source.obey(state.resume())
        case .stop: source.obey(state.stop())
        case .event: break
        }
        #expect(source.isMisused == false, "\(sequence)")
      }
      #expect(source.canBeReleased && source.isCancelled, "\(sequence)")
      #expect(state.stop() == [] && state.start() == [], "\(sequence)")
    }
  }

  /// What Dispatch does with its orders.
  private struct Source {
    var isActive = false
    var suspensions = 0
    var isCancelled = false
    var isMisused = false

    var canBeReleased: Bool { isActive && suspensions == 0 }

    mutating func obey(_ orders: [TickerState.Order]) {
      for order in orders {
        switch order {
        case .activate:
          isMisused = isMisused || isActive
          isActive = true
        case .suspend: suspensions += 1
        case .resume:
          isMisused = isMisused || suspensions == 0
          suspensions -= 1
        case .cancel:
          isMisused = isMisused || isCancelled
          isCancelled = true
        }
      }
    }
  }

  @Test func `a real source: no trap, and the cancel handler once and last`() async throws {
    for sequence in Self.sequences {
      let (queue, isStopped) = (DispatchQueue(label: "ticks"), Gate())
      let ends = Counts()
      try {
        let ticker = try Sourced.Ticker(
          every: .microseconds(10), on: queue,
          stopped: {
            ends.stopped()
            isStopped.open()
          }
        ) { _ in ends.ticked() }
        for deed in sequence {
          switch deed {
          case .start: ticker.start()
          case .pause: ticker.pause()
          case .resume: ticker.resume()
          case .stop: ticker.stop()
          case .event: queue.sync {}
          }
        }
        // It is let go of in any state.
      }()
      await isStopped.wait()
      queue.sync {}
      #expect(ends.told == "1 stop, 0 ticks behind it", "\(sequence)")
    }
  }

  private final class Counts: Sendable {
    private let counts = Mutex((stops: 0, late: 0))

    func stopped() { counts.withLock { $0.stops += 1 } }
    func ticked() { counts.withLock { if $0.stops > 0 { $0.late += 1 } } }

    var told: String {
      counts.withLock { "\($0.stops) stop\($0.stops == 1 ? "" : "s"), \($0.late) ticks behind it" }
    }
  }
}
