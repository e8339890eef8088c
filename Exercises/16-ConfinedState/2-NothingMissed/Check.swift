import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses; a method of the actor and one outside it both do.
private protocol Following: Sendable {
  init()
  func come(_ guest: String) async
  func follow() async -> (guests: Set<String>, arrivals: AsyncStream<String>)
  func close() async
  var guests: Set<String> { get async }
  var followers: Int { get async }
}

extension Party: Following {}

/// What a list has in the end, when the party is closed: who was there, and who came.
@Sendable private func list(
  of followed: (guests: Set<String>, arrivals: AsyncStream<String>)
) async -> String {
  var arrivals: [String] = []
  for await guest in followed.arrivals { arrivals.append(guest) }
  return "\(followed.guests.sorted().joined(separator: " ")) | \(arrivals.joined(separator: " "))"
}

@Test func `who is there comes at once, and who comes later in the stream, in order`() async {
  await everyOrder(gives: "Ada Bo | Cy Di") {
    let party: any Following = Party()
    for guest in ["Ada", "Bo"] { await party.come(guest) }
    let followed = await party.follow()
    for guest in ["Cy", "Di"] { await party.come(guest) }
    await party.close()
    return await list(of: followed)
  }
}

@Test func `a guest that comes meanwhile is on the list once`() async {
  await everyOrder(gives: "Ada | Bo", "Ada Bo | ") {
    let party: any Following = Party()
    await party.come("Ada")
    let guest = Task(name: "Bo") { await party.come("Bo") }
    let followed = await party.follow()
    await guest.value
    await party.close()
    return await list(of: followed)
  }
}

@Test func `a guest that is there does not come again`() async {
  await everyOrder(gives: "Ada | Bo; 2 guests") {
    let party: any Following = Party()
    await party.come("Ada")
    let followed = await party.follow()
    for guest in ["Bo", "Ada", "Bo"] { await party.come(guest) }
    await party.close()
    return "\(await list(of: followed)); \(await party.guests.count) guests"
  }
}

@Test func `each of two lists hears of every guest`() async {
  await everyOrder(gives: " | Ada Bo; Ada | Bo") {
    let party: any Following = Party()
    let first = await party.follow()
    await party.come("Ada")
    let second = await party.follow()
    await party.come("Bo")
    await party.close()
    return "\(await list(of: first)); \(await list(of: second))"
  }
}

@Test func `after the end a list has the guests, and its stream has ended`() async {
  await everyOrder(gives: "Ada | ; Ada | ; Ada Bo") {
    let party: any Following = Party()
    await party.come("Ada")
    let early = await party.follow()
    await party.close()
    let late = await party.follow()
    await party.come("Bo")
    let guests = await party.guests.sorted().joined(separator: " ")
    return "\(await list(of: early)); \(await list(of: late)); \(guests)"
  }
}

@Test func `a list whose task is cancelled is forgotten, and the others are not`() async {
  await everyOrder(gives: "2 lists, then 1;  | Ada;  | Ada", time: .passesWhenIdle) {
    let party: any Following = Party()
    let (left, stays) = (await party.follow(), await party.follow())
    let reader = Task(name: "reader") { _ = await list(of: left) }
    let before = await party.followers
    reader.cancel()
    await reader.value
    // What forgets it may come later.
    try await Task.sleep(for: .seconds(1))
    let after = await party.followers
    let comes = await party.follow()
    await party.come("Ada")
    await party.close()
    return "\(before) lists, then \(after); \(await list(of: stays)); \(await list(of: comes))"
  }
}
