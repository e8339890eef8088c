import Synchronization
import Testing
import Workbook

@Suite struct GateTests {
  @Test func `a gate lets nobody through until it is open, then everybody`() async {
    let gate = Gate()
    let steps = Transcript()
    let waiting = (0..<3).map { _ in
      Task.immediate {  // runs until it waits
        await gate.wait()
        steps.say("through")
      }
    }
    steps.say("open")
    gate.open()
    gate.open()
    for task in waiting { await task.value }
    await gate.wait()
    #expect(steps.steps == ["open", "through", "through", "through"])
  }

  @Test func `a relaxed gate orders the steps of two threads`() {
    let gate = RelaxedGate()
    let steps = Atomic(0)
    onTwoThreads {
      gate.wait(for: 1)
      steps.store(steps.load(ordering: .relaxed) * 10 + 2, ordering: .relaxed)
    } _: {
      steps.store(1, ordering: .relaxed)
      gate.reach(1)
    }
    #expect(steps.load(ordering: .relaxed) == 12)
  }
}
