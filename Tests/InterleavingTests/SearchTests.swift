import Testing

@testable import Interleaving

/// The searches alone, without tasks, against brute force over small models.
@Suite struct SearchTests {
  /// Strands that each touch one object after another.
  struct Model {
    let strands: [[Access]]

    /// Runs a search over the model; returns each schedule as the strands in the order of their steps.
    func schedules<S: Search>(
      _ search: S, limit: Int = .max
    ) throws -> [[Int]] {
      var search = search
      var schedules: [[Int]] = []
      while schedules.count < limit, search.begin() {
        var positions = strands.map { _ in 0 }
        var schedule: [Int] = []
        while true {
          let ready = strands.indices.filter { positions[$0] < strands[$0].count }
          if ready.isEmpty { break }
          let pick = try search.choose(
            SchedulingPoint(
              strands: ready.map(StrandID.init), previous: schedule.last.map(StrandID.init)))
          let strand = ready[pick]
          search.observe(
            Step(
              strand: StrandID(strand), accesses: [strands[strand][positions[strand]]]))
          positions[strand] += 1
          schedule.append(strand)
        }
        search.finish([])
        if !search.isRedundant { schedules.append(schedule) }
      }
      return schedules
    }

    /// Every schedule, by recursion.
    var all: [[Int]] {
      func rest(_ positions: [Int]) -> [[Int]] {
        let ready = strands.indices.filter { positions[$0] < strands[$0].count }
        if ready.isEmpty { return [[]] }
        return ready.flatMap { strand in
          var next = positions
          next[strand] += 1
          return rest(next).map { [strand] + $0 }
        }
      }
      return rest(strands.map { _ in 0 })
    }

    /// What two schedules of one class have in common: the order of each two steps that conflict.
    func classOf(_ schedule: [Int]) -> Set<[Int]> {
      var positions = strands.map { _ in 0 }
      var steps: [(strand: Int, position: Int)] = []
      for strand in schedule {
        steps.append((strand, positions[strand]))
        positions[strand] += 1
      }
      var pairs: Set<[Int]> = []
      for (index, later) in steps.enumerated() {
        for earlier in steps[..<index] where earlier.strand != later.strand {
          let first = strands[earlier.strand][earlier.position]
          let second = strands[later.strand][later.position]
          if first.object == second.object, Access.conflict(first.mode, second.mode) {
            pairs.insert([earlier.strand, earlier.position, later.strand, later.position])
          }
        }
      }
      return pairs
    }

    func preemptions(of schedule: [Int]) -> Int {
      var left = strands.map(\.count)
      var count = 0
      for (index, strand) in schedule.enumerated() {
        if index > 0, schedule[index - 1] != strand, left[schedule[index - 1]] > 0 { count += 1 }
        left[strand] -= 1
      }
      return count
    }

    init(_ strands: [[Access]]) {
      self.strands = strands
    }

    init(using generator: inout SplitMix64) {
      strands = (0..<Int.random(in: 2...3, using: &generator)).map { _ in
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          let modes: [Access.Mode] = [.read, .post, .write]
          return Access(
            modes.randomElement(using: &generator)!,
            .variable(Int.random(in: 0...1, using: &generator)))
        }
      }
    }
  }

  @Test func `the exhaustive search visits every schedule once`() throws {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<50 {
      let model = Model(using: &generator)
      let schedules = try model.schedules(ExhaustiveSearch())
      #expect(schedules.count == Set(schedules).count)
      #expect(Set(schedules) == Set(model.all))
    }
  }

  @Test(arguments: 0...3)
  func
    `the bounded search visits every schedule with so many preemptions once, those with fewer first`(
      bound: Int
    ) throws
  {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<50 {
      let model = Model(using: &generator)
      let schedules = try model.schedules(BoundedSearch(bound: bound))
      #expect(schedules.count == Set(schedules).count)
      let preemptions = schedules.map(model.preemptions)
      #expect(preemptions == preemptions.sorted())
      #expect(Set(schedules) == Set(model.all.filter { model.preemptions(of: $0) <= bound }))
    }
  }

  @Test func `the reduced search visits every class of schedules`() throws {
    var generator = SplitMix64(seed: 3)
    var executions = 0
    var classes = 0
    for _ in 0..<1000 {
      let model = Model(using: &generator)
      let schedules = try model.schedules(OptimalSearch())
      let expected = Set(model.all.map(model.classOf))
      #expect(Set(schedules.map(model.classOf)) == expected, "\(model)")
      executions += schedules.count
      classes += expected.count
    }
    #expect(executions == classes)
  }

  @Test func `the same seed gives the same schedules, another seed others`() throws {
    let model = Model(
      Array(repeating: Array(repeating: Access(.write, .variable(0)), count: 4), count: 3))
    for makeSearch in [
      { RandomSearch(seed: $0) as any Search }, { PCTSearch(seed: $0, depth: 3) as any Search },
    ] {
      func draw<S: Search>(_ search: S) throws -> [[Int]] {
        try model.schedules(search, limit: 100)
      }
      let first = try draw(makeSearch(7))
      #expect(try draw(makeSearch(7)) == first)
      #expect(try draw(makeSearch(8)) != first)
      #expect(Set(first).count > 10)
    }
  }

  @Test func `PCT meets a bug of depth two as often as its authors prove`() throws {
    // The bug: the last strand's only step comes between the first two of the first. Depth 2, with 3
    // strands and 9 steps: at least 1 in 3 × 9 schedules.
    let model = Model([
      Array(repeating: Access(.write, .variable(0)), count: 4),
      Array(repeating: Access(.write, .variable(0)), count: 4),
      [Access(.write, .variable(0))],
    ])
    let schedules = try model.schedules(PCTSearch(seed: 11, depth: 2), limit: 2_700)
    let hits = schedules.count { schedule in
      let bug = schedule.firstIndex(of: 2)!
      return schedule[..<bug].count { $0 == 0 } == 1
    }
    #expect(hits >= 2_700 / 27, "\(hits) of 2,700")
  }

  @Test func `a replay takes the choices, then the first`() throws {
    let model = Model(
      Array(repeating: Array(repeating: Access(.write, .variable(0)), count: 2), count: 2))
    #expect(try model.schedules(ReplaySearch([1, 0])) == [[1, 0, 0, 1]])
    #expect(throws: Divergence.self) { try model.schedules(ReplaySearch([2])) }
  }

  @Test func `a search that meets other strands than before says so`() throws {
    for search in [ExhaustiveSearch() as any Search, BoundedSearch(bound: 1), OptimalSearch()] {
      func diverge<S: Search>(_ search: S) throws {
        var search = search
        for strands in [[0, 1], [0, 2]] {
          let hasBegun = search.begin()
          #expect(hasBegun)
          for left in [strands, [strands[1]]] {
            let pick = try search.choose(
              SchedulingPoint(
                strands: left.map(StrandID.init), previous: nil))
            search.observe(
              Step(strand: StrandID(left[pick]), accesses: [Access(.write, .variable(0))]))
          }
          search.finish([])
        }
      }
      #expect(throws: Divergence.self) { try diverge(search) }
    }
  }
}
