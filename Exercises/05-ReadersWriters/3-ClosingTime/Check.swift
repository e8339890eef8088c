import ControlledDispatch
import ExerciseChecking
import Interleaving
import Testing

@testable import Answer

/// What the check uses.
private protocol Room: Sendable {
  init()
  func enter()
  func leave()
  func beginCleaning()
  func endCleaning()
}

extension ReadingRoom: Room {}

/// Comes to the room, is in it for as long as the body takes, and goes. Cleaners are called C, C1 and so on.
@Sendable private func visit(_ room: any Room, as name: String, _ body: () -> Void) {
  let isCleaner = name.hasPrefix("C")
  if isCleaner { room.beginCleaning() } else { room.enter() }
  body()
  if isCleaner { room.endCleaning() } else { room.leave() }
}

/// Checks who is in the room after each event: when somebody has come, was told to go, or to go and come back at once,
/// and nobody can go on. Whoever is woken may be the first to look, so there are many orders, of which some are run.
private func expect(_ story: KeyValuePairs<String, String>) async {
  let story = story.map { (event: $0.key, inside: $0.value) }
  await everyOrder(
    gives: "all go in in turn", within: .upTo(classes: 30, preempted: 30, drawn: 30), steps: 500,
    time: .passesWhenIdle
  ) {
    let room: any Room = ReadingRoom()
    let inside = Mutex(Set<String>())
    let returning = Mutex(Set<String>())
    var goes: [String: DispatchSemaphore] = [:]
    var fault: String?
    for (event, right) in story {
      let name = String(event.prefix { $0 != " " })
      if let go = goes[name] {
        if event.hasSuffix("comes back") { _ = returning.withLock { $0.insert(name) } }
        go.signal()
      } else {
        let go = DispatchSemaphore(value: 0)
        goes[name] = go
        let visitor = Thread {
          repeat {
            visit(room, as: name) {
              _ = inside.withLock { $0.insert(name) }
              go.wait()
              _ = inside.withLock { $0.remove(name) }
            }
          } while returning.withLock { $0.remove(name) } != nil
        }
        visitor.name = name
        visitor.start()
      }
      Thread.sleep(forTimeInterval: 1)  // time passes when nobody can go on
      let found = inside.withLock { $0.sorted() }.joined(separator: " ")
      if fault == nil, found != right {
        fault = "\(event), and inside is then: \(words(found)), instead of: \(words(right))"
      }
    }
    return fault ?? "all go in in turn"
  }
}

private func words(_ names: String) -> String { names.isEmpty ? "nobody" : names }

/// Checks that all have been in the room under every order, and that a cleaner has it alone.
private func expectAlone(_ names: String...) async {
  let right = names.count { $0.hasPrefix("C") }
  await everyOrder(gives: "cleaned \(right)×", steps: 500) {
    let room: any Room = ReadingRoom()
    let cleanings = Shared(0, "the floor")
    strands(
      names.map { name in
        {
          visit(room, as: name) {
            if name.hasPrefix("C") { cleanings.value += 1 } else { _ = cleanings.value }
          }
        }
      })
    return "cleaned \(cleanings.value)×"
  }
}

@Test func `a cleaner is alone in the room, and all get in and out`() async {
  await expectAlone("C1", "C2")
  await expectAlone("C", "R")
  await expectAlone("C", "R1", "R2")
  await expectAlone("C1", "C2", "R")
}

@Test func `readers are in the room together`() async {
  await expect([
    "R1 comes": "R1", "R2 comes": "R1 R2", "R1 goes": "R2", "R3 comes": "R2 R3", "R3 goes": "R2",
    "R2 goes": "",
  ])
}

@Test func `a reader that comes while a cleaner waits goes in after it`() async {
  await expect([
    "R1 comes": "R1", "C comes": "R1", "R2 comes": "R1", "R1 goes": "C", "C goes": "R2",
    "R2 goes": "",
  ])
}

@Test func `a cleaner waits for the readers that came before it, and for no other`() async {
  await expect([
    "R1 comes": "R1", "R2 comes": "R1 R2", "C comes": "R1 R2", "R3 comes": "R1 R2",
    "R1 goes": "R2", "R4 comes": "R2", "R2 goes": "C", "C goes": "R3 R4", "R5 comes": "R3 R4 R5",
    "R4 goes": "R3 R5", "R3 goes": "R5", "R5 goes": "",
  ])
}

@Test func `a cleaner that comes while a reader waits goes in after it`() async {
  await expect([
    "C1 comes": "C1", "R comes": "C1", "C2 comes": "C1", "C1 goes": "R", "C3 comes": "R",
    "R goes": "C2", "C2 goes": "C3", "C3 goes": "",
  ])
}

@Test func `readers that wait behind one another go in together`() async {
  await expect([
    "C comes": "C", "R1 comes": "C", "R2 comes": "C", "R3 comes": "C", "C goes": "R1 R2 R3",
    "R2 goes": "R1 R3", "R1 goes": "R3", "R3 goes": "",
  ])
}

@Test func `but not with a reader that waits behind a second cleaner`() async {
  await expect([
    "C1 comes": "C1", "R1 comes": "C1", "C2 comes": "C1", "R2 comes": "C1", "R3 comes": "C1",
    "C1 goes": "R1", "R1 goes": "C2", "C2 goes": "R2 R3", "R2 goes": "R3", "R3 goes": "",
  ])
}

@Test func `nor when both cleaners have waited`() async {
  await expect([
    "R comes": "R", "C1 comes": "R", "R1 comes": "R", "C2 comes": "R", "R goes": "C1",
    "C1 goes": "R1", "R2 comes": "R1", "R1 goes": "C2", "C2 goes": "R2", "R2 goes": "",
  ])
}

@Test func `cleaners go in in the order in which they came`() async {
  await expect([
    "R comes": "R", "C1 comes": "R", "C2 comes": "R", "C3 comes": "R", "R goes": "C1",
    "C1 goes": "C2", "C4 comes": "C2", "C2 goes": "C3", "C3 goes": "C4", "C4 goes": "",
  ])
}

@Test func `a visitor that comes back at once stands behind those that wait`() async {
  await expect([
    "C comes": "C", "R comes": "C", "C comes back": "R", "R goes": "C", "C goes": "",
  ])
  await expect([
    "R comes": "R", "C comes": "R", "R comes back": "C", "C goes": "R", "R goes": "",
  ])
}
