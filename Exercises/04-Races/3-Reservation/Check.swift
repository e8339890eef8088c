import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Deck: Sendable {
  init(metres: Int)
  func book(_ metres: Int, paying pay: @Sendable () async throws -> Void) async throws
  var free: Int { get async }
}

extension Ferry: Deck {}

/// Takes the money of a car that has some, and counts what is taken.
private actor Bank {
  struct Declined: Error {}

  private(set) var taken: [String: Int] = [:]
  private(set) var asked: [String: Int] = [:]

  func pay(_ car: String, isCovered: Bool) throws {
    asked[car, default: 0] += 1
    guard isCovered else { throw Declined() }
    taken[car, default: 0] += 1
  }
}

/// A car that wants to book.
private struct Car: Sendable {
  let name: String
  let metres: Int
  var isCovered = true
}

/// What a car is told, and how often it has paid when it is.
@Sendable private func answer(_ car: Car, _ ferry: any Deck, _ bank: Bank) async -> String {
  var answer: String
  do {
    try await ferry.book(car.metres) { try await bank.pay(car.name, isCovered: car.isCovered) }
    answer = "booked"
  } catch is Ferry.Full {
    answer = "full"
  } catch is Bank.Declined {
    answer = "declined"
  } catch {
    answer = "\(error)"
  }
  if let asked = await bank.asked[car.name], asked > 1 {
    answer += ", and was to pay \(asked) times"
  }
  let times = await bank.taken[car.name] ?? 0
  let right = answer.hasPrefix("booked") ? 1 : 0
  return times == right ? answer : "\(answer), and has paid \(times) times"
}

/// What comes of some cars that book at the same time: how many get which answer, and what is left.
@Sendable private func outcome(of cars: [Car], metres: Int = 10) async -> String {
  let bank = Bank()
  let ferry: any Deck = Ferry(metres: metres)
  let answers = await withTaskGroup { group in
    for car in cars {
      group.addTask(name: car.name) { await answer(car, ferry, bank) }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  return "\(answers.sorted().joined(separator: ", ")); \(await ferry.free) m left"
}

@Test func `of two cars that do not both fit, one is booked, and one has paid`() async {
  await everyOrder(gives: "booked, full; 4 m left") {
    await outcome(of: [Car(name: "A", metres: 6), Car(name: "B", metres: 6)])
  }
}

@Test func `of three cars of which two fit, two are booked`() async {
  await everyOrder(gives: "booked, booked, full; 2 m left") {
    await outcome(of: ["A", "B", "C"].map { Car(name: $0, metres: 4) })
  }
}

@Test func `two cars that both fit are both booked`() async {
  await everyOrder(gives: "booked, booked; 0 m left") {
    await outcome(of: [Car(name: "A", metres: 6), Car(name: "B", metres: 4)])
  }
}

@Test func `a declined payment gives its metres back, and no others`() async {
  await everyOrder(gives: "booked, declined; 6 m left") {
    await outcome(of: [Car(name: "A", metres: 5, isCovered: false), Car(name: "B", metres: 4)])
  }
  await everyOrder(gives: "declined, declined; 10 m left") {
    await outcome(of: ["A", "B"].map { Car(name: $0, metres: 4, isCovered: false) })
  }
}

@Test func `beside a payment that fails, a car that does not fit meanwhile is refused, or booked`()
  async
{
  await everyOrder(
    gives: "declined, full; 10 m left", "booked, declined; 4 m left", "booked, full; 4 m left"
  ) {
    await outcome(of: [Car(name: "A", metres: 6, isCovered: false), Car(name: "B", metres: 6)])
  }
}

@Test func `a deck takes exactly as many metres as it has`() async {
  await everyOrder(gives: "booked, full, declined, booked, full; 0 m left") {
    let bank = Bank()
    let ferry: any Deck = Ferry(metres: 10)
    var answers: [String] = []
    for car in [
      Car(name: "A", metres: 4), Car(name: "B", metres: 7),
      Car(name: "C", metres: 6, isCovered: false), Car(name: "D", metres: 6),
      Car(name: "E", metres: 1),
    ] {
      answers.append(await answer(car, ferry, bank))
    }
    return "\(answers.joined(separator: ", ")); \(await ferry.free) m left"
  }
}

@Test func `a car that is called away has paid and has its place, or neither`() async {
  let away = "\(CancellationError())"
  await everyOrder(gives: "booked; 6 m left", "declined; 10 m left", "\(away); 10 m left") {
    let bank = Bank()
    let ferry: any Deck = Ferry(metres: 10)
    let car = Task(name: "A") { await answer(Car(name: "A", metres: 4), ferry, bank) }
    car.cancel()
    return "\(await car.value); \(await ferry.free) m left"
  }
}

/// Something that happens once, and can be waited for.
private struct Event: Sendable {
  private let stream = AsyncStream.makeStream(of: Void.self)
  func happen() { stream.continuation.finish() }
  func wait() async { for await _ in stream.stream {} }
}

/// What a car is told that pays in its own way.
@Sendable private func answer(
  _ metres: Int, _ ferry: any Deck, paying pay: @escaping @Sendable () async throws -> Void
) async -> String {
  do {
    try await ferry.book(metres, paying: pay)
    return "booked"
  } catch is Ferry.Full {
    return "full"
  } catch { return "declined" }
}

@Test func `a car that is paying holds up no car that fits beside it`() async {
  await everyOrder(gives: "booked, booked") {
    let ferry: any Deck = Ferry(metres: 10)
    let isPaid = Event()
    async let first = answer(4, ferry) { await isPaid.wait() }
    let second = await answer(6, ferry) {}
    isPaid.happen()
    return "\(await first), \(second)"
  }
}

@Test func `nor does a car that waits because it does not fit`() async {
  await everyOrder(gives: "booked, full, booked", "full, booked, booked") {
    let ferry: any Deck = Ferry(metres: 10)
    let thirdIsBooked = Event()
    async let first = answer(6, ferry) { await thirdIsBooked.wait() }
    async let second = answer(6, ferry) { await thirdIsBooked.wait() }
    let third = await answer(4, ferry) {}
    thirdIsBooked.happen()
    return "\(await first), \(await second), \(third)"
  }
}

@Test func `two that fit when a payment has failed do not wait for each other's bank`() async {
  await everyOrder(gives: "booked, booked", "booked, full", "full, booked", "full, full") {
    let ferry: any Deck = Ferry(metres: 10)
    let isBooking = Event()
    // Each has come to its bank, or has been told that it does not fit.
    let areThere = [Event(), Event()]
    async let long = answer(10, ferry) {
      isBooking.happen()
      await Task.yield()
      throw Bank.Declined()
    }
    await isBooking.wait()
    @Sendable func short(_ number: Int) async -> String {
      let answer = await answer(5, ferry) {
        areThere[number].happen()
        await areThere[1 - number].wait()
      }
      areThere[number].happen()
      return answer
    }
    async let first = short(0)
    let second = await short(1)
    _ = await long
    return "\(await first), \(second)"
  }
}
