/// How virtual time goes by.
public enum VirtualTime: Hashable, Sendable {
  /// A sleeper may wake while others are still at work: sleeping orders nothing but sleepers, which
  /// wake in the order of their deadlines.
  case passesAtAnyStep
  /// A sleeper wakes only when nothing else can go on, as if all work took no time.
  case passesWhenIdle
}

/// How much is found out about a failure; who only compares what is reported may save the time that more takes.
package enum ReportDetail: Sendable {
  /// What comes of it, and a schedule.
  case outcome
  /// Of each schedule one with few switches, too, which takes hundreds of runs; and the lines of source, each of which
  /// takes some hundredths of a second to look up.
  case lines

  @TaskLocal package static var wanted = lines
}

/// What bounds an exploration.
struct Options: Sendable {
  var strategy: Strategy = .exhaustive
  var time: VirtualTime = .passesAtAnyStep
  var schedules = 100_000
  var stopsAtFailure = false
  /// Whether what the scenario's code sets up once is set up anew in each execution.
  var renewsStatics = false
  var steps = 10_000
  /// How long one step may take before it counts as blocked.
  var patience: Duration = .seconds(10)
  /// Whether another thread may make ready what stands still; then it gets a twentieth of the patience for that, once.
  var hasSurroundings = true
  var abandonedTasks = 1_000
  /// Whether each failure is looked for in schedules with fewer switches, too.
  var shortens = ReportDetail.wanted != .outcome
  /// Whether strands are carried by threads of their own, since one had to wait for its turn with its stack as it was.
  var usesCarriers = false
  /// Whether a step is known not to come to its end.
  var hurries = false
  /// Places of instrumented code that are scheduling points from the beginning.
  var points: Set<Place> = []
  /// Whether the known layout of tasks and actors may be used.
  var usesRuntimeLayout = true
  /// Whether reports name lines of source.
  var findsLines = SwiftRuntime.findsLines && ReportDetail.wanted == .lines
  /// Whether the runtime tells how it orders tasks and what they start, so that races can be told from what is none.
  var seesOrder = SwiftRuntime.hasHooks
  /// Whether the runtime tells of references that are made and dropped.
  var seesLifetimes = SwiftRuntime.seesLifetimes
  /// Whether this library's functions stand before those by which tasks are cancelled and asked whether they are.
  var hasEntries = SwiftRuntime.hasEntries
}
