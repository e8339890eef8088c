import PrioritySimulation
import Testing

/// Examples of books and papers, each named; their numbers are given, and what has to come out is worked
/// out by hand beside them, so that a test stands without its book.
struct LiteratureTests {
  // MARK: Liu, Real-Time Systems (2000), chapter 8

  /// Five jobs, 1 the most urgent, and two resources; a tick is half a unit of the book. Job 4 has
  /// [Shaded; 4 [Black; 1.5]].
  ///
  /// In units, under inheritance: 5 runs, takes Black at 1; 4 comes at 2, takes Shaded at 3; 3 comes at 4, 2 at
  /// 5. At 6 job 2 wants Black and 5 inherits; 1 comes at 7, wants Shaded at 8, and 4 inherits. At 9 job 4
  /// wants Black, so 5 inherits from 1, through 4; it unlocks at 11, 4 takes Black until 12.5, unlocks Shaded
  /// at 13. Then all end by priority: 1 at 15, 2 at 17, 3 at 18, 4 at 19, 5 at 20.
  ///
  /// Under the original ceiling (Shaded that of 1, Black that of 2) job 4 may not take Shaded at 3, since it is
  /// not above the ceiling of Black, which 5 has: 5 inherits from 4 and runs. 3 comes at 4, 2 at 5, waits for
  /// Black at 6; 5 inherits from 2; 1 comes at 7, takes Shaded, ends at 10; 5 unlocks at 11; then 2 ends at 13,
  /// 3 at 14, 4 at 19, 5 at 20. Under the immediate one job 5 is as urgent as 2 from 1 to 5, when 2 comes and
  /// goes before it; 1 comes at 7 and runs until 10; 2 ends at 11, 3 at 13, 4 at 19, 5 at 20.
  static let liu = TaskSet(
    jobs: [
      Job("1", priority: 5, release: 14, use("Shaded", before: 2, for: 2, after: 2)),
      Job("2", priority: 4, release: 10, use("Black", before: 2, for: 2, after: 2)),
      Job("3", priority: 3, release: 8, [.compute(4)]),
      Job(
        "4", priority: 2, release: 4,
        [
          .compute(2), .lock("Shaded"), .compute(4), .lock("Black"), .compute(3), .unlock("Black"),
          .compute(1), .unlock("Shaded"), .compute(2),
        ]),
      Job("5", priority: 1, use("Black", before: 2, for: 8, after: 2)),
    ],
    locks: ["Shaded", "Black"])

  static func use(_ lock: String, before: Int, for time: Int, after: Int) -> [Segment] {
    [.compute(before), .lock(lock), .compute(time), .unlock(lock), .compute(after)]
  }

  /// For each unit of the book the job that runs.
  static let liuSchedules: [(LockingProtocol, String)] = [
    (.inheritance, "55443251455441122345"),
    (.originalCeiling, "55453251115223444445"),
    (.immediateCeiling, "55555221112334444445"),
  ]

  @Test(arguments: liuSchedules)
  func `Liu's five jobs`(policy: LockingProtocol, order: String) throws {
    let simulation = try simulate(Self.liu, under: policy)
    #expect(simulation.order() == order.map { "\($0)\($0)" }.joined())
  }

  // MARK: Burns and Wellings, Real-Time Systems and Programming Languages, chapter on scheduling

  /// Four processes: E computes, Q and V compute with that resource; d is the most urgent.
  ///
  /// Without a protocol: a takes Q at 1; c comes at 2, takes V at 3; d comes at 4, wants Q at 6, and waits. c
  /// runs V and E until 8, b until 10, a its Q until 13; d takes Q, V and E until 16, and a ends at 17. With
  /// inheritance a runs its Q from 6 to 9 instead; d takes Q, wants V at 10; c runs its V until 11; d ends at
  /// 13, c at 14, b at 16, a at 17. Under the original ceiling (Q and V both that of d) c may not take V at 3, so
  /// a inherits from c and runs; d comes at 4, wants Q at 6, and a inherits from it until 8; d ends at 11.
  /// Under the immediate one a is as urgent as d from 1 to 5, then d runs from 5 to 10, and c before b.
  static let burnsWellings = TaskSet(
    jobs: [
      Job("d", priority: 4, release: 4, sequence("EEQVE")),
      Job("c", priority: 3, release: 2, sequence("EVVE")),
      Job("b", priority: 2, release: 2, sequence("EE")),
      Job("a", priority: 1, sequence("EQQQQE")),
    ],
    locks: ["Q", "V"])

  /// The same kind of example, from NTNU's course on real-time programming, exercise 9.
  static let ntnu = TaskSet(
    jobs: [
      Job("a", priority: 3, release: 4, sequence("EQVE")),
      Job("b", priority: 2, release: 2, sequence("EVVEEE")),
      Job("c", priority: 1, sequence("EQQQE")),
    ],
    locks: ["Q", "V"])

  static func sequence(_ letters: String) -> [Segment] {
    var segments: [Segment] = []
    var last: Character = "E"
    for letter in letters + "E" {
      if letter != last, last != "E" { segments.append(.unlock(String(last))) }
      if letter != last, letter != "E" { segments.append(.lock(String(letter))) }
      segments.append(.compute(1))
      last = letter
    }
    return segments.dropLast()
  }

  static let burnsWellingsSchedules: [(LockingProtocol, String)] = [
    (.noProtocol, "aaccddccbbaaaddda"),
    (.inheritance, "aaccddaaadcddcbba"),
    (.originalCeiling, "aacaddaadddcccbba"),
    (.immediateCeiling, "aaaaadddddccccbba"),
  ]

  @Test(arguments: burnsWellingsSchedules)
  func `the four processes of Burns and Wellings`(policy: LockingProtocol, order: String) throws {
    #expect(try simulate(Self.burnsWellings, under: policy).order() == order)
  }

  @Test func `the three tasks of NTNU`() throws {
    #expect(try simulate(Self.ntnu, under: .noProtocol).order() == "ccbbabbbbccaaac")
    #expect(try simulate(Self.ntnu, under: .inheritance).order() == "ccbbaccabaabbbc")
  }

  // MARK: Response-time analysis

  /// The third rows by hand: 5 + ⌈20/7⌉·3 + ⌈20/12⌉·3 = 20; 100 + ⌈300/100⌉·40 + ⌈300/150⌉·40 = 300;
  /// 15 + ⌈50/20⌉·5 + ⌈50/30⌉·10 = 50; and with less on the left each sum is more than it.
  static let responseTimes: [(source: String, [(period: Int, demand: Int, response: Int)])] = [
    ("Burns and Wellings, process set D", [(7, 3, 3), (12, 3, 6), (20, 5, 20)]),
    (
      "Sha and Goodenough 1990, the three tasks beyond the bound of Liu and Layland",
      [(100, 40, 40), (150, 40, 80), (350, 100, 300)]
    ),
    ("NTNU, Real-time programming, exercise 9", [(20, 5, 5), (30, 10, 15), (50, 15, 50)]),
  ]

  @Test(arguments: responseTimes)
  func `response times, by analysis and by simulation`(
    source: String, rows: [(period: Int, demand: Int, response: Int)]
  ) throws {
    let tasks = TaskSet(
      jobs: rows.enumerated().map { index, row in
        Job("\(index)", priority: -index, period: row.period, [.compute(row.demand)])
      })
    let analysis = try ResponseTimeAnalysis(tasks, under: .noProtocol)
    let simulation = try simulate(tasks, under: .noProtocol, until: 2_100)
    for (index, row) in rows.enumerated() {
      #expect(analysis.response(of: "\(index)") == row.response, "\(source)")
      let times = simulation.responses(of: "\(index)").compactMap(\.time)
      #expect(times.first == row.response && times.max() == row.response, "\(source)")
    }
  }

  // MARK: Sha, Rajkumar and Lehoczky (1990)

  /// The paper's example of a deadlock, and of how ceilings avoid it; the times are ours.
  @Test func `two jobs that nest two locks crosswise`() throws {
    func nested(_ outer: String, _ inner: String) -> [Segment] {
      [
        .compute(1), .lock(outer), .compute(2), .lock(inner), .compute(2), .unlock(inner),
        .unlock(outer),
      ]
    }
    let tasks = TaskSet(
      jobs: [
        Job("J1", priority: 2, release: 2, nested("S1", "S2")),
        Job("J2", priority: 1, nested("S2", "S1")),
      ],
      locks: ["S1", "S2"])
    let deadlocked = try simulate(tasks, under: .inheritance)
    #expect(
      deadlocked.deadlocks.map(\.description) == [
        "at 6: J2 waits for S1, held by J1; J1 waits for S2, held by J2"
      ])
    #expect(deadlocked.responses.allSatisfy { $0.completion == nil })
    for policy in [LockingProtocol.originalCeiling, .immediateCeiling] {
      let simulation = try simulate(tasks, under: policy)
      #expect(simulation.deadlocks.isEmpty)
      // Under the original ceiling J1 begins before it is blocked, under the immediate one after.
      let ends = policy == .originalCeiling ? [10, 6] : [10, 5]
      #expect(simulation.responses.map(\.completion) == ends)
      #expect(simulation.responses[0].blocked == 3)
    }
  }
}
