import PrioritySimulation
import Workbook

extension Demo {
  static let headOfLine = Demo(
    "head-of-line",
    asks:
      "Two photos that nobody looks at wait to be decoded; one on the screen comes. Who is next?",
    sides: [
      .before(
        "serial queue, with a QoS for each block",
        .surprising("hidden 1 is next", "a serial queue serves in the order of arrival"),
        .forbidden("visible is next")
      ) { await next(in: Queued.Decoder(), $0) }
      .code("DecoderSerialQueue.swift", "queue.async(qos:"),
      .before(
        "operation queue, one wide", .allowed("visible is next", "by queue priority"),
        .forbidden("hidden 1 is next")
      ) { await next(in: Operated.Decoder(), $0) }
      .code("DecoderOperation.swift", "operation.queuePriority"),
      .after(
        "actor", .allowed("visible is next", "by the priorities of the tasks"),
        .forbidden("hidden 1 is next")
      ) { await next(in: Isolated.Decoder(), $0) }
      .code("SchedulesLines.swift", "immediateDetached(priority: isVisible"),
    ])

  private static func next(in decoder: some Decoding, _ transcript: Transcript) async -> String {
    let decoded = await line(at: decoder)
    transcript.say(decoded.joined(separator: ", "))
    return "\(decoded[1]) is next"
  }

  static let starvation = Demo(
    "starvation",
    asks: "One photo is hidden, and visible ones come and come. When is the hidden one decoded?",
    sides: [
      .before(
        "serial queue", .allowed("hidden is number 2 of 12"),
        .forbidden("hidden is number 12 of 12")
      ) { _ in await flood(Queued.Decoder()) }
      .code("DecoderSerialQueue.swift", "queue.async(qos:"),
      .before(
        "operation queue, one wide",
        .surprising("hidden is number 12 of 12", "something more urgent always comes first"),
        .forbidden("hidden is number 2 of 12")
      ) { _ in await flood(Operated.Decoder()) }
      .code("DecoderOperation.swift", "operation.queuePriority"),
      .after(
        "actor",
        .surprising("hidden is number 12 of 12", "something more urgent always comes first"),
        .forbidden("hidden is number 2 of 12")
      ) { _ in await flood(Isolated.Decoder()) }
      .code("SchedulesLines.swift", "let hidden"),
      aged("simulated: fixed priorities", .fixedPriority, "done after 1000 ticks"),
      aged("simulated: one more urgent for 10 ticks", .ageing(interval: 10), "done after 30 ticks"),
    ])

  private static func aged(
    _ mechanism: String, _ dispatching: Dispatching, _ outcome: String
  ) -> Side {
    Side(
      dispatching == .fixedPriority ? .before : .after, mechanism,
      [
        dispatching == .fixedPriority
          ? .surprising(outcome, "the others leave it nothing until they end") : .allowed(outcome),
        .forbidden("never done"),
      ]
    ) { _ in
      let tasks = TaskSet(jobs: [
        Job("visible", priority: 3, period: 10, [.compute(10)]),
        Job("hidden", priority: 1, [.compute(10)]),
      ])
      let simulation = try simulate(
        tasks, under: .noProtocol, dispatching: dispatching, until: 990)
      guard let time = simulation.responses(of: "hidden")[0].time else { return "never done" }
      return "done after \(time) ticks"
    }
    .code("DemosLines.swift", "let tasks = TaskSet")
  }
}
