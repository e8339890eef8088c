import Foundation
import PrioritySimulation
import Testing

/// Charts and plots, and that all output is the same everywhere.
struct ChartTests {
  @Test func `the inversion, drawn`() throws {
    #expect(
      try simulate(.inversion(middle: 30), under: .noProtocol).description == """
        no protocol, one core
        one column is 1 tick, 5 context switches

                  0         10        20        30        40        50        60
                  |         |         |         |         |         |         |
        high   3   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxAAAAAAAAAAAAAAAAAAAA
        middle 2   ==============================
        low    1  A..............................AAAAAAAAAAAAAAAAAAA

        = runs   A runs with lock   . is ready   x is blocked   ~ waits

        job     releases  done  late  longest  blocked  by
        high           1     1     0       69       49  middle 30, low 19 with lock
        middle         1     1     0       30        0
        low            1     1     0       50        0

        """)
  }

  @Test func `several ticks a column, waiting, and cores`() throws {
    let tasks = TaskSet(
      jobs: [
        Job("disk & net", priority: 2, period: 50, [.compute(10), .wait(20), .compute(5)]),
        Job("worker", priority: 1, [.compute(60), .lock("cache"), .compute(40), .unlock("cache")]),
        Job("other", priority: 1, [.compute(30)]),
      ],
      locks: ["cache"])
    let simulation = try simulate(tasks, under: .inheritance, cores: 2, until: 150)
    #expect(
      simulation.chart(width: 60) == """
        priority inheritance, 2 cores
        one column is 3 ticks, 7 context switches

                      0         30        60        90        120
                      |         |         |         |         |
        disk & net 2  ===~~~~~~~==    ====~~~~~~~==    ====~~~~~~==
        worker     1  ====================AAAAAAAAAAAAAA
        other      1  ...=======..===
        core 0        111333333311333 1111      111    1111      11
        core 1        2222222222222222222222222222222222

        = runs   A runs with cache   . is ready   x is blocked
        ~ waits   1 to 3 the jobs, from above

        """)
  }

  @Test func `every line of every chart fits`() throws {
    var random = SplitMix64(seed: seed)
    let shape = Shape(nesting: .anyOrder, hasWaits: true, hasTies: true)
    for index in 0..<200 {
      var tasks = shape.taskSet(&random)
      for job in tasks.jobs.indices {
        tasks.jobs[job].name += String(repeating: "é", count: random.int(0...20))
        tasks.jobs[job].deadline = random.int(10...40)
      }
      let simulation = try simulate(
        tasks, under: LockingProtocol.all[index % 7], cores: random.int(1...3), until: Shape.horizon
      )
      for line in simulation.description.split(separator: "\n") {
        // A deadlock is told in a sentence.
        if !line.hasPrefix("deadlock") { #expect(line.count <= 80, "\(line)") }
        #expect(line.last != " ")
      }
    }
    for line in try Plot.inversion(under: LockingProtocol.all.dropLast()).text().split(
      separator: "\n")
    {
      #expect(line.count <= 80, "\(line)")
    }
  }

  @Test func `a chart of many ticks, and one of a window`() throws {
    let tasks = TaskSet(jobs: [Job("a", priority: 1, release: 60, [.compute(60)])])
    let simulation = try simulate(tasks, under: .noProtocol)
    #expect(
      simulation.chart().contains(
        "a      1" + String(repeating: " ", count: 32) + String(repeating: "=", count: 30) + "\n"))
    #expect(simulation.chart(window: 50..<70).contains("a      1            ==========\n"))
  }

  @Test func `the plot, drawn`() throws {
    let plot = try Plot.inversion(middle: [0, 50, 100])
    #expect(
      plot.text(width: 50) == """
        How long the high job is blocked

        ticks blocked
         120+                                           o
            |
            |
         100+
            |
            |
            |
          80+
            |                     o
            |
          60+
            |
            |
          40+
            |
            |
            |
          20+o                    x                     x
            |
            |
           0+
            ++---+---+---+----+---+---+----+---+---+----+
             0  10  20  30   40  50  60   70  80  90   100
                  ticks that the middle job computes

        o  no protocol
        x  priority inheritance

        """)
  }

  @Test func `pictures are well-formed and hold every job`() throws {
    let tasks = TaskSet(
      jobs: [Job("a<b>&\"", priority: 1, [.lock("x&y"), .compute(3), .unlock("x&y")])],
      locks: ["x&y"])
    let simulation = try simulate(tasks, under: .noProtocol)
    for svg in [
      simulation.svg(), try Plot.inversion().svg,
      try simulate(.marsPathfinder(), under: .noProtocol, until: 500).svg(window: 0..<250),
    ] {
      let elements = svg.matches(of: /<(\/?)([a-z]+)([^>]*?)(\/?)>/)
      var open: [Substring] = []
      for element in elements {
        if element.1 == "/" {
          #expect(open.popLast() == element.2)
        } else if element.4 != "/" {
          open.append(element.2)
        }
      }
      #expect(open.isEmpty)
      #expect(!svg.contains("& ") && !svg.contains("=\"-"))
    }
    #expect(simulation.svg().contains(">a&lt;b>&amp;\"</text>"))
    #expect(simulation.svg().contains("runs with x&amp;y"))
  }

  @Test func `same input, same output, byte for byte`() throws {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ text: String) {
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    var random = SplitMix64(seed: 1)
    let shape = Shape(nesting: .anyOrder, hasWaits: true, hasTies: true)
    for index in 0..<100 {
      let tasks = shape.taskSet(&random)
      for policy in LockingProtocol.all {
        let run = {
          try simulate(
            tasks, under: policy, dispatching: ConservationTests.dispatchings[index % 3],
            cores: 1 + index % 2, until: Shape.horizon)
        }
        let simulation = try run()
        #expect(try run() == simulation)
        add(simulation.description)
        add(simulation.svg())
      }
    }
    add(try Plot.inversion().text())
    add(try Plot.inversion().svg)
    // FNV-1a of all of it; whoever changes the output on purpose changes it here.
    #expect(hash == 10_327_587_727_211_935_396)
  }
}
