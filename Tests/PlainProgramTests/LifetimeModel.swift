import PlainPrograms

/// What a ``LifetimePlan`` can come to, by trying every order of its acts: written from what references mean, without a line
/// of the explorer.
struct LifetimeModel: Hashable {
  /// What a strand does next, into which nobody comes.
  private enum Act: Hashable {
    case log(String)
    /// Drops a reference.
    case release(Int)
    /// Drops its own reference, if it has one.
    case drop(Int)
    case look(Int)
    case put(Int)
    case take
  }

  private var counts: [Int]
  private var strands: [[Act]]
  private var owned: [Set<Int>]
  private var place: Int?
  private var text: [String] = []

  /// Everything that a plan can come to.
  static func outcomes(of plan: LifetimePlan) -> Set<String> {
    var outcomes: Set<String> = []
    var met: Set<LifetimeModel> = []
    var open = [LifetimeModel(plan)]
    while var model = open.popLast() {
      let moves = model.strands.indices.filter { !model.strands[$0].isEmpty }
      for strand in moves {
        var next = model
        next.move(strand, plan)
        if met.insert(next).inserted { open.append(next) }
      }
      guard moves.isEmpty else { continue }
      if let place = model.place {
        model.strands[0] = [.release(place)]
        while !model.strands[0].isEmpty { model.move(0, plan) }
      }
      outcomes.insert(model.text.joined(separator: " "))
    }
    return outcomes
  }

  private init(_ plan: LifetimePlan) {
    owned = plan.strands.map(\.owned)
    counts = plan.objects.indices.map { number in
      plan.objects.count { $0.held == number } + plan.strands.count { $0.owned.contains(number) }
    }
    strands = plan.strands.enumerated().map { strand, part in
      // What it has left it drops in the end, in order.
      part.actions.map { action in
        switch action {
        case .log: .log("\(strand)")
        case .drop(let number): .drop(number)
        case .look(let number): .look(number)
        case .put(let number): .put(number)
        case .take: .take
        }
      } + plan.objects.indices.map { .drop($0) }
    }
  }

  private mutating func move(_ strand: Int, _ plan: LifetimePlan) {
    func first(_ acts: [Act]) { strands[strand].insert(contentsOf: acts, at: 0) }
    switch strands[strand].removeFirst() {
    case .log(let entry): text.append(entry)
    case .drop(let number):
      if owned[strand].remove(number) != nil { release(number) }
    case .release(let number): release(number)
    case .look(let number):
      if counts[number] > 0 { counts[number] += 1 }
      first(
        counts[number] > 0 ? [.log("found-\(number)"), .release(number)] : [.log("gone-\(number)")])
    case .put(let number):
      guard owned[strand].remove(number) != nil else { return }
      if let place { first([.release(place)]) }
      place = number
    case .take:
      first([.log("took-" + (place.map { "\($0)" } ?? ""))] + (place.map { [.release($0)] } ?? []))
      place = nil
    }

    func release(_ number: Int) {
      counts[number] -= 1
      guard counts[number] == 0 else { return }
      let object = plan.objects[number]
      first(
        (object.isLoud ? [.log("end-\(number)")] : []) + (object.held.map { [.release($0)] } ?? []))
    }
  }
}

extension LifetimePlan {
  /// A plan of two or three strands with three or four actions in all.
  static func random(using random: inout some RandomNumberGenerator) -> LifetimePlan {
    let count = Int.random(in: 1...3, using: &random)
    var objects = (0..<count).map { number in
      Object(
        isLoud: Bool.random(using: &random),
        held: number > 0 && Bool.random(using: &random) ? number - 1 : nil)
    }
    if !objects.contains(where: \.isLoud) { objects[0].isLoud = Bool.random(using: &random) }
    let strands = Int.random(in: 0..<3, using: &random) == 0 ? 3 : 2
    var owned = (0..<strands).map { _ in
      Set((0..<count).filter { _ in Bool.random(using: &random) })
    }
    // What nobody has would be no more from the beginning.
    for number in 0..<count where !owned.contains(where: { $0.contains(number) }) {
      owned[Int.random(in: 0..<strands, using: &random)].insert(number)
    }
    return LifetimePlan(
      objects: objects,
      strands: owned.map { owned in
        let length = Int.random(in: 0...(strands == 2 ? 2 : 1), using: &random)
        return (
          owned,
          (0..<length).map { _ in
            let number = Int.random(in: 0..<count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: return .log
            case 1, 2: return .drop(number)
            case 3, 4: return .look(number)
            case 5, 6: return .put(number)
            default: return .take
            }
          }
        )
      })
  }
}
