import ControlledDispatch
import Interleaving
import PlainPrograms
import Testing

@Suite struct FirstTests {
  @Test func strandsPlain() async {
    let e = await explore(.reduced(assuming: .controlledSharing)) {
      let c = PlainCounter()
      strands({ c.increment() }, { c.increment() })
      return c.value
    }
    print(e)
  }
  @Test func strandsLocked() async {
    let e = await explore(.reduced(assuming: .controlledSharing)) {
      let c = LockedCounter()
      strands({ c.increment() }, { c.increment() })
      return c.value
    }
    print(e)
  }
  @Test func strandsMutex() async {
    let e = await explore(.reduced(assuming: .controlledSharing)) {
      let c = MutexCounter()
      strands({ c.increment() }, { c.increment() })
      return c.value
    }
    print(e)
  }
  @Test func strandsAtomic() async {
    let e = await explore(.reduced(assuming: .controlledSharing)) {
      let c = AtomicCounter()
      strands({ c.incrementInTwoSteps() }, { c.incrementInTwoSteps() })
      return c.value
    }
    print(e)
  }
  @Test func tasksMutex() async {
    let e = await explore {
      let c = MutexCounter()
      async let a: Void = { c.value += 1 }()
      async let b: Void = { c.value += 1 }()
      _ = await (a, b)
      return c.value
    }
    print(e)
  }
  @Test func tasksPlain() async {
    let e = await explore {
      let c = PlainCounter()
      async let a: Void = { c.increment() }()
      async let b: Void = { c.increment() }()
      _ = await (a, b)
      return c.value
    }
    print(e)
  }
  @Test func strandsNames() async {
    let e = await explore(.reduced(assuming: .controlledSharing)) {
      let c = Names()
      strands({ c.add("a") }, { c.add("b") })
      return c.names.count
    }
    print(e)
  }
}
