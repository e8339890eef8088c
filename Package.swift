// swift-tools-version: 6.2
import PackageDescription

// What every change is built with (.ci/run sets it): any warning is an error.
let strict: [SwiftSetting] =
  Context.environment["WORKBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

// What the explorer sees every access of: code that is compiled for ThreadSanitizer, and linked without it. A read right
// before a write of the same place is told, too.
let instrumented: [SwiftSetting] = [
  .unsafeFlags([
    "-sanitize=thread", "-Xllvm", "-tsan-instrument-read-before-write", "-disable-cmo",
  ])
]

// What works at each access, wait and step of other code is optimized in debug, too.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]
let optimizedC: [CSetting] = [.unsafeFlags(["-O2"], .when(configuration: .debug))]

// What such code calls at each access comes by CStops first, where threads are stopped.
let accesses: [String] =
  ["1", "2", "4", "8", "16"].flatMap { ["read\($0)", "write\($0)"] }
  + ["2", "4", "8", "16"].flatMap { ["unaligned_read\($0)", "unaligned_write\($0)"] }
let atomics: [String] = [
  "load", "store", "exchange", "compare_exchange_val", "compare_exchange_strong",
].flatMap { ["atomic64_\($0)", "atomic128_\($0)"] }
let wrapped: [String] =
  accesses + atomics + ["external_write", "atomic64_fetch_add", "atomic64_fetch_sub"]
let stops: [LinkerSetting] = [
  .unsafeFlags(
    wrapped.flatMap { ["-Xlinker", "--wrap=__tsan_\($0)"] }, .when(platforms: [.linux]))
]

/// A chapter's targets: module, demo executable and suite. The module is instrumented, and so is a twin of the files
/// that `Explored/` links to, compiled against ControlledDispatch; with `watched`, there is a twin of those
/// that `Watched/` links to, compiled against what DeadlockDetection watches; with `modes`, two twins of the files
/// that `Modes/` links to, each compiled with another setting for isolation; and with `costs`, a twin of those that
/// `Costs/` links to, compiled as a program compiles them, whose forms `workbook-costs` compares. `system` lets it make
/// system calls of Linux.
func chapter(
  _ number: String, _ name: String, watched: Bool = false, modes: Bool = false, costs: Bool = false,
  system: Bool = false
) -> (module: String, costs: String?, targets: [Target]) {
  let folder = "Chapters/\(number)-\(name)"
  let calls: [Target.Dependency] =
    system ? [.target(name: "CLinux", condition: .when(platforms: [.linux]))] : []
  var twins: [Target] = [
    .target(
      name: name + "Explored", dependencies: ["ControlledDispatch", "Workbook"] + calls,
      path: folder + "/Explored", swiftSettings: strict + instrumented)
  ]
  if watched {
    twins.append(
      .target(
        name: name + "Watched", dependencies: ["Workbook", "DeadlockDetection"],
        path: folder + "/Watched", swiftSettings: strict + instrumented))
  }
  if modes {
    twins += [
      .target(
        name: name + "Nonsending", path: folder + "/Modes/Nonsending",
        swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
      .target(
        name: name + "MainActor", path: folder + "/Modes/MainActor",
        swiftSettings: strict + [.defaultIsolation(MainActor.self)]),
    ]
  }
  let measured =
    costs
    ? Target.target(name: name + "Costs", path: folder + "/Costs", swiftSettings: strict) : nil
  let module = Target.target(
    name: name,
    dependencies: ["Workbook", "Interleaving", "PrioritySimulation", "ControlledDispatch"]
      + twins.map { .target(name: $0.name) } + calls,
    path: folder + "/Sources", swiftSettings: strict + instrumented)
  let slug = name.replacing(/\B[A-Z]/) { "-" + $0.output }.lowercased()
  let demo = Target.executableTarget(
    name: slug + "-demo", dependencies: ["Workbook", .target(name: name)],
    path: folder + "/Demo", swiftSettings: strict)
  let suite = Target.testTarget(
    name: name + "Tests",
    dependencies: [
      "Workbook", "InterleavingTesting", "ChapterTesting", "PrioritySimulation",
      .target(name: name),
    ] + (watched ? ["DeadlockDetection", .target(name: name + "Watched")] : []) + calls,
    path: folder + "/Tests", swiftSettings: strict)
  return (name, measured?.name, twins + [module, demo, suite] + (measured.map { [$0] } ?? []))
}

// In the order of the course.
let chapters = [
  chapter("01", "Queues", modes: true),
  chapter("02", "Groups", costs: true),
  chapter("03", "Callbacks"),
  chapter("04", "Races"),
  chapter("05", "ReadersWriters", costs: true),
  chapter("06", "Deadlocks", watched: true),
  chapter("07", "PriorityInversion"),
  chapter("08", "Limits", costs: true, system: true),
  chapter("09", "Operations", costs: true),
  chapter("10", "Pipelines"),
  chapter("11", "Caches"),
  chapter("12", "Timers"),
  chapter("13", "Descriptors", costs: true, system: true),
  chapter("14", "SystemEvents", system: true),
  chapter("16", "ConfinedState"),
]

let package = Package(
  name: "ConcurrencyWorkbook",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "workbook", targets: ["WorkbookCLI"]),
    .executable(name: "workbook-bench", targets: ["Bench"]),
    .executable(name: "workbook-costs", targets: ["Costs"]),
    .library(name: "Interleaving", targets: ["Interleaving"]),
    .library(name: "InterleavingTesting", targets: ["InterleavingTesting"]),
    .library(name: "ControlledDispatch", targets: ["ControlledDispatch"]),
    .library(name: "DeadlockDetection", targets: ["DeadlockDetection"]),
    .library(name: "PrioritySimulation", targets: ["PrioritySimulation"]),
  ],
  targets: [
    .target(name: "CLinux"),
    .target(name: "CInterleaving", cSettings: optimizedC),
    .target(name: "CStops", linkerSettings: stops),
    .target(
      name: "Interleaving", dependencies: ["CInterleaving"], swiftSettings: strict + optimized),
    // Where a stand-in's own accesses are checked for exclusivity, the explorer sees and keeps them.
    .target(
      name: "ControlledDispatch", dependencies: ["Interleaving"],
      swiftSettings: strict + optimized + [.unsafeFlags(["-enforce-exclusivity=unchecked"])]),
    .target(name: "DeadlockDetection", swiftSettings: strict + optimized),
    .target(name: "PrioritySimulation", swiftSettings: strict + optimized),
    .target(
      name: "InterleavingTesting", dependencies: ["Interleaving"], swiftSettings: strict),
    .target(
      name: "Workbook",
      dependencies: [
        "Interleaving", "ControlledDispatch", "DeadlockDetection", "PrioritySimulation", "CStops",
        .target(name: "CLinux", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .target(name: "ExerciseChecking", dependencies: ["Interleaving"], swiftSettings: strict),
    .target(
      name: "ChapterTesting", dependencies: ["Workbook", "Interleaving"], swiftSettings: strict),
    .executableTarget(
      name: "WorkbookCLI",
      dependencies: [
        "Workbook",
        // What an exercise's check imports; it is compiled when somebody asks for a verdict.
        "ExerciseChecking", "ControlledDispatch", "DeadlockDetection", "PrioritySimulation",
      ] + chapters.map { .target(name: $0.module) },
      swiftSettings: strict),
    .executableTarget(
      name: "Bench",
      dependencies: [
        "Workbook", "InterleavingTesting", "ControlledDispatch", "DeadlockDetection",
        "PrioritySimulation", "WorkbookCLI",
      ], swiftSettings: strict),
    // Without Workbook, whose functions before libc's would change what is measured.
    .executableTarget(
      name: "Costs", dependencies: chapters.compactMap(\.costs).map { .target(name: $0) },
      swiftSettings: strict),
    .testTarget(
      name: "InterleavingTests",
      dependencies: ["CInterleaving", "InterleavingTesting", "PlainPrograms"],
      swiftSettings: strict),
    .target(
      name: "PlainPrograms", dependencies: ["ControlledDispatch"], path: "Tests/PlainPrograms",
      swiftSettings: strict + instrumented),
    .testTarget(
      name: "PlainProgramTests",
      dependencies: ["PlainPrograms", "ControlledDispatch", "InterleavingTesting"],
      swiftSettings: strict + instrumented),
    .target(
      name: "OldPrograms", dependencies: ["ControlledDispatch"], path: "Tests/OldPrograms",
      swiftSettings: strict + instrumented),
    .testTarget(
      name: "OldProgramTests", dependencies: ["OldPrograms", "InterleavingTesting"],
      swiftSettings: strict + instrumented),
    .target(
      name: "RealPrograms", dependencies: ["CLinux"], path: "Tests/RealPrograms",
      swiftSettings: strict),
    .target(
      name: "TwinPrograms", dependencies: ["ControlledDispatch", "CLinux"],
      path: "Tests/TwinPrograms", swiftSettings: strict),
    .testTarget(
      name: "ControlledDispatchTests",
      dependencies: [
        "ControlledDispatch", "InterleavingTesting", "RealPrograms", "TwinPrograms",
        // For what is said of real sources.
        "ChapterTesting", "CLinux",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DeadlockDetectionTests", dependencies: ["DeadlockDetection"], swiftSettings: strict),
    .testTarget(
      name: "PrioritySimulationTests", dependencies: ["PrioritySimulation"], swiftSettings: strict),
    // Of what several modules bring along the linker takes the first, by their names: instrumented code has to come late.
    .testTarget(
      name: "StopTests", dependencies: ["Workbook"], swiftSettings: strict + instrumented),
    .testTarget(name: "WorkbookTests", dependencies: ["Workbook"], swiftSettings: strict),
    .testTarget(
      name: "WorkbookCLITests", dependencies: ["Workbook", "WorkbookCLI"], swiftSettings: strict),
    .testTarget(
      name: "CourseTests", dependencies: ["Workbook", "WorkbookCLI"], exclude: ["Fixtures"],
      swiftSettings: strict),
  ] + chapters.flatMap(\.targets),
  swiftLanguageModes: [.v6]
)

// What is built with the sanitizer (.ci/run sets it) has threads of its own: without what only explores, and without
// programs that no suite runs.
if Context.environment["WORKBOOK_LIVE"] != nil {
  let left: Set = [
    "InterleavingTests", "PlainPrograms", "PlainProgramTests", "OldPrograms", "OldProgramTests",
    "RealPrograms", "TwinPrograms", "ControlledDispatchTests", "PrioritySimulationTests",
    "WorkbookCLITests", "CourseTests", "Bench", "Costs",
  ]
  package.targets.removeAll {
    left.contains($0.name) || $0.name.hasSuffix("-demo") || chapters.map(\.costs).contains($0.name)
  }
  package.products.removeAll { ["workbook-bench", "workbook-costs"].contains($0.name) }
}
