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
