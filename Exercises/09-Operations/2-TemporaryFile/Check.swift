import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Ordering: Operation {
  init(pages: Int, disk: any Disk, shop: any PrintShop)
  var outcome: Outcome { get }
}

extension BookOrder: Ordering {}

/// What takes a while, and where an order can be cancelled.
private enum Step: Equatable {
  case file
  case page(Int)
  case answer
}

private struct Trouble: Error {
  let step: Step
}

/// A disk and a print shop, which know what they were asked for.
private final class World: Disk, PrintShop {
  private struct Log: Sendable {
    var made = 0
    var files: Set<Int> = []
    var pages: [Int: [Int]] = [:]
    var orders: [Int: Bool] = [:]
    var wrong: [String] = []
  }

  private let log = Mutex(Log())
  /// The step that throws.
  private let trouble: Step?
  /// What is cancelled, and during which step.
  private let cancelling = Mutex<(operation: any Ordering, step: Step)?>(nil)

  init(trouble: Step? = nil) {
    self.trouble = trouble
  }

  func cancel(_ operation: any Ordering, during step: Step) {
    cancelling.withLock { $0 = (operation, step) }
  }

  private func during(_ step: Step) {
    let operation = cancelling.withLock { $0?.step == step ? $0?.operation : nil }
    operation?.cancel()
  }

  func makeFile() throws -> TemporaryFile {
    during(.file)
    if trouble == .file { throw Trouble(step: .file) }
    return log.withLock { log in
      log.made += 1
      log.files.insert(log.made)
      return TemporaryFile(number: log.made)
    }
  }

  func append(page: Int, to file: TemporaryFile) throws {
    during(.page(page))
    log.withLock { log in
      if !log.files.contains(file.number) {
        log.wrong.append("page \(page) has no file")
      }
      log.pages[file.number, default: []].append(page)
    }
    if trouble == .page(page) { throw Trouble(step: .page(page)) }
  }

  func remove(_ file: TemporaryFile) {
    log.withLock { log in
      if log.files.remove(file.number) == nil {
        log.wrong.append("a file is removed that is not there")
      }
    }
  }

  func order(_ file: TemporaryFile) throws -> Int {
    during(.answer)
    let number = log.withLock { log in
      if !log.files.contains(file.number) { log.wrong.append("the shop has no file") }
      let number = 70 + file.number
      log.orders[number] = true
      return number
    }
    guard trouble == .answer else { return number }
    log.withLock { $0.orders[number] = nil }
    throw Trouble(step: .answer)
  }

  func cancelOrder(_ number: Int) {
    log.withLock { log in
      if log.orders[number] != true {
        log.wrong.append("order \(number) is cancelled, which does not stand")
      }
      log.orders[number] = false
    }
  }

  /// What it was asked for, and what is left.
  var words: String {
    log.withLock { log in
      var words = log.made == 0 ? ["no file"] : []
      for file in log.pages.keys.sorted() {
        words.append("pages " + log.pages[file]!.map { "\($0)" }.joined(separator: " "))
      }
      if log.made > 0, log.pages.isEmpty { words.append("no page") }
      for (number, stands) in log.orders.sorted(by: { $0.key < $1.key }) {
        words.append("order \(number)\(stands ? "" : " taken back")")
      }
      return (words + left(log)).joined(separator: ", ")
    }
  }

  /// How many orders stand, and what is left and should not be.
  func complaints(about outcomes: [Outcome]) -> [String] {
    log.withLock { log in
      let ordered = outcomes.compactMap {
        if case .ordered(let number) = $0 { number } else { nil }
      }
      let standing = log.orders.filter(\.value).keys
      let (lost, unwanted) = (
        Set(ordered).subtracting(standing), Set(standing).subtracting(ordered)
      )
      return ["\(standing.count) \(standing.count == 1 ? "stands" : "stand")"]
        + lost.sorted().map { "order \($0) does not stand" }
        + unwanted.sorted().map { "order \($0) is not wanted" } + left(log)
    }
  }

  private func left(_ log: Log) -> [String] {
    log.wrong + (log.files.isEmpty ? [] : ["a file is left"])
  }
}

private func words(_ outcome: Outcome) -> String {
  switch outcome {
  case .ordered(let number): "ordered as \(number)"
  case .cancelled: "cancelled"
  case .failed(let error as Trouble):
    switch error.step {
    case .file: "failed at the file"
    case .page(let page): "failed at page \(page)"
    case .answer: "failed at the shop"
    }
  case .failed(let error): "failed with \(error)"
  }
}

/// Looks at what an order has left when it has finished.
private final class Look: Operation, @unchecked Sendable {
  // Sendable: nothing of it changes.
  private let look: @Sendable () -> Void

  init(_ look: @escaping @Sendable () -> Void) { self.look = look }

  override func main() { look() }
}

/// What comes of an order, and what the disk and the shop were asked for, when what depends on the order begins.
///
/// - Parameters:
///   - step: The step in which it is cancelled, if any.
///   - trouble: The step that throws, if any.
@Sendable private func outcome(
  ofPages pages: Int, cancelledDuring step: Step? = nil, trouble: Step? = nil
) -> String {
  let world = World(trouble: trouble)
  let order: any Ordering = BookOrder(pages: pages, disk: world, shop: world)
  if let step { world.cancel(order, during: step) }
  let seen = Mutex("")
  let look = Look {
    let text = "\(words(order.outcome)): \(world.words)"
    seen.withLock { $0 = text }
  }
  look.addDependency(order)
  OperationQueue().addOperations([order, look], waitUntilFinished: true)
  return seen.withLock(\.self)
}

@Test func `an order is made of its pages, and leaves no file`() async {
  await everyOrder(gives: "ordered as 71: pages 1 2 3, order 71") { outcome(ofPages: 3) }
  await everyOrder(gives: "ordered as 71: no page, order 71") { outcome(ofPages: 0) }
}

@Test func `an order that is cancelled before it begins makes no file`() async {
  await everyOrder(gives: "cancelled: no file") {
    let world = World()
    let order: any Ordering = BookOrder(pages: 1, disk: world, shop: world)
    order.cancel()
    OperationQueue().addOperations([order], waitUntilFinished: true)
    return "\(words(order.outcome)): \(world.words)"
  }
}

@Test func `an order that is cancelled while its file is made renders no page`() async {
  await everyOrder(gives: "cancelled: no page") { outcome(ofPages: 3, cancelledDuring: .file) }
}

@Test func `an order that is cancelled while a page is rendered renders no other page`() async {
  await everyOrder(gives: "cancelled: pages 1") {
    outcome(ofPages: 3, cancelledDuring: .page(1))
  }
  await everyOrder(gives: "cancelled: pages 1 2") {
    outcome(ofPages: 3, cancelledDuring: .page(2))
  }
}

@Test func `the shop is not asked if the order is cancelled before, also during the last page`()
  async
{
  await everyOrder(gives: "cancelled: pages 1 2") {
    outcome(ofPages: 2, cancelledDuring: .page(2))
  }
  await everyOrder(gives: "cancelled: no page") { outcome(ofPages: 0, cancelledDuring: .file) }
}

@Test func `an order that is cancelled when the answer comes is taken back`() async {
  await everyOrder(gives: "cancelled: pages 1 2, order 71 taken back") {
    outcome(ofPages: 2, cancelledDuring: .answer)
  }
}

@Test func `an error of the disk or of the shop is the outcome, and leaves no file`() async {
  await everyOrder(gives: "failed at page 2: pages 1 2") {
    outcome(ofPages: 3, trouble: .page(2))
  }
  await everyOrder(gives: "failed at the shop: pages 1") {
    outcome(ofPages: 1, trouble: .answer)
  }
}

@Test func `a file that could not be made is not removed`() async {
  await everyOrder(gives: "failed at the file: no file") { outcome(ofPages: 2, trouble: .file) }
}

@Test func `an error that comes to a cancelled order leaves nothing either`() async {
  await everyOrder(gives: "failed at page 1: pages 1", "cancelled: pages 1") {
    outcome(ofPages: 2, cancelledDuring: .page(1), trouble: .page(1))
  }
  await everyOrder(gives: "failed at the shop: pages 1", "cancelled: pages 1") {
    outcome(ofPages: 1, cancelledDuring: .answer, trouble: .answer)
  }
}

private let some = Orders.upTo(classes: 100, preempted: 60, drawn: 40)

@Test func `whenever an order is cancelled, it stands or it is taken back, and no file is left`()
  async
{
  await everyOrder(gives: "ordered as 71, 1 stands", "cancelled, 0 stand", within: some) {
    let world = World()
    let order: any Ordering = BookOrder(pages: 1, disk: world, shop: world)
    let seen = Mutex("")
    let look = Look {
      let outcome = order.outcome
      let text = ([words(outcome)] + world.complaints(about: [outcome])).joined(separator: ", ")
      seen.withLock { $0 = text }
    }
    look.addDependency(order)
    OperationQueue().addOperations([order, look], waitUntilFinished: false)
    order.cancel()
    look.waitUntilFinished()
    return seen.withLock(\.self)
  }
}

@Test func `of two orders at once each gives back what is its own`() async {
  await everyOrder(
    gives: "cancelled, ordered, 1 stands", "ordered, ordered, 2 stand", within: some
  ) {
    let world = World()
    let orders: [any Ordering] = (1...2).map { BookOrder(pages: $0, disk: world, shop: world) }
    world.cancel(orders[0], during: .answer)
    OperationQueue().addOperations(orders, waitUntilFinished: true)
    let outcomes = orders.map(\.outcome)
    let ordered = outcomes.map { if case .ordered = $0 { "ordered" } else { words($0) } }
    return (ordered + world.complaints(about: outcomes)).joined(separator: ", ")
  }
}
