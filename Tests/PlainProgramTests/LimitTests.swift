import ControlledDispatch
import Foundation
import Interleaving
import InterleavingTesting
import PlainPrograms
import Synchronization
import Testing

/// What is not seen of code that is instrumented, each as Limits.md says it.
@Suite(.requiresWatching) struct WatchLimitTests {
  final class Switch: @unchecked Sendable {
    nonisolated(unsafe) static var setting = Setting.low
    enum Setting { case low, high }

    var isOn = false
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 8)

    deinit { text.deallocate() }
  }

  /// The standard library's `toggle` is one step in a debug build.
  @Test func `what the standard library does in place is one step`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let device = Switch()
      strands({ device.isOn.toggle() }, { device.isOn.toggle() })
      return device.isOn
    }
    #expect(exploration.failures.map(\.kind) == [.race])
    #if DEBUG
      #expect(Set(exploration.outcomes.keys) == [false], "\(exploration)")
    #else
      #expect(Set(exploration.outcomes.keys) == [false, true], "\(exploration)")
    #endif
  }

  @Test func `memory behind a pointer that C was given is not seen to be used`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let device = Switch()
      strands({ _ = setText(device.text) }, { _ = setText(device.text) })
    }
    #expect(exploration.failures.isEmpty, "\(exploration)")
  }

  @Sendable private func setText(_ text: UnsafeMutablePointer<CChar>) -> Int32 {
    withVaList([1]) { vsnprintf(text, 8, "%d", $0) }
  }

  @Test func `a global of a type of its own counts as one whose orders break memory`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      strands({ Switch.setting = .high }, { Switch.setting = .low })
    }
    #expect(exploration.failures.map(\.kind) == [.race])
    #expect(exploration.completeness == .unexploredRace(of: "setting"), "\(exploration)")
  }

  @Test
  func `an atomic orders as its ordering says, and shows no more than sequential consistency`()
    async
  {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let first = RelaxedResult()
      strands({ first.publish(1) }, { _ = first.current })
    }
    // The race is found; a flag that is seen before the value is not.
    #expect(exploration.failures.map(\.kind) == [.race], "\(exploration)")
  }
}

/// Which ends of objects are not seen, each as Limits.md says it.
@Suite(.requiresWatching) struct EndLimitTests {
  private static let reduced = Strategy.reduced(assuming: .controlledSharing)

  /// What a program comes to that the explorer does not find, though it says that it is complete.
  private func missing(
    of program: LifetimeProgram, _ runner: Runner, _ strategy: Strategy
  ) async -> Set<String> {
    let exploration = await explore(strategy) { await program.run(runner) }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(runner) \(exploration)")
    #expect(program.outcomes.isSuperset(of: exploration.outcomes.keys), "\(exploration)")
    return program.outcomes.subtracting(exploration.outcomes.keys)
  }

  /// A `deinit` is not instrumented; in a debug build the check for exclusive access tells of its stores.
  @Test(arguments: [Runner.tasks, .strands])
  func `an end that stores into a variable of somebody else`(_ runner: Runner) async {
    let missing = await missing(of: .storeElsewhere, runner, Self.reduced)
    #if DEBUG
      #expect(missing == [])
    #else
      #expect(missing.count == 1)
    #endif
  }

  /// Nobody goes on between the drop and what comes then.
  @Test func `the end of a stream of which a producer learns`() async {
    #expect(
      await missing(of: .streamThatIsGone, .tasks, .exhaustive) == ["no 1 2", "no 2 1"])
  }

  @Test(arguments: [Runner.tasks, .strands])
  func `whether an array is its user's alone`(_ runner: Runner) async {
    #expect(await missing(of: .arrayOfOne, runner, Self.reduced).count == 1)
  }

  @Test func `references to what was made before`() async {
    // One after the other: they share what is left for the next.
    for runner in [Runner.tasks, .strands] {
      #expect(await missing(of: .madeBefore, runner, Self.reduced) == ["gone"])
    }
  }

  #if canImport(FoundationXML)
    @Test func `looks by a library that is not known`() async {
      #expect(await missing(of: .parsersDelegate, .tasks, Self.reduced) == ["gone"])
      // What the library has found it drops, too, and so may be the last to do so.
      let exploration = await explore(Self.reduced) {
        await LifetimeProgram.parsersDelegate.run(.strands)
      }
      #expect(exploration.failures.map(\.kind) == [.nondeterminism], "\(exploration)")
      #expect(exploration.failures.first?.message.contains("a library") == true)
    }
  #endif
}
