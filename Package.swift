// swift-tools-version: 6.2
import PackageDescription

// What every change is built with (.ci/run sets it): any warning is an error.
let strict: [SwiftSetting] =
  Context.environment["WORKBOOK_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

/// A chapter's targets: module, demo executable and suite; with `explored`, a twin of the files that
/// `Explored/` links to, compiled against ControlledDispatch; and with `modes`, two twins of the files
/// that `Modes/` links to, each compiled with another setting for isolation.
func chapter(
  _ number: String, _ name: String, explored: Bool = false, modes: Bool = false
) -> [Target] {
  let folder = "Chapters/\(number)-\(name)"
  var twins: [Target] = []
  if explored {
    twins.append(
      .target(
        name: name + "Explored", dependencies: ["ControlledDispatch"], path: folder + "/Explored",
        swiftSettings: strict + [.define("EXPLORED")]))
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
  let module = Target.target(
    name: name,
    dependencies: ["Workbook", "Interleaving"] + (explored ? ["ControlledDispatch"] : [])
      + twins.map { .target(name: $0.name) },
    path: folder + "/Sources", swiftSettings: strict)
  let slug = name.replacing(/\B[A-Z]/) { "-" + $0.output }.lowercased()
  let demo = Target.executableTarget(
    name: slug + "-demo", dependencies: ["Workbook", .target(name: name)],
    path: folder + "/Demo", swiftSettings: strict)
  let suite = Target.testTarget(
    name: name + "Tests",
    dependencies: ["Workbook", "InterleavingTesting", .target(name: name)],
    path: folder + "/Tests", swiftSettings: strict)
  return twins + [module, demo, suite]
}

let chapters = [
  chapter("01", "Queues", modes: true),
  chapter("04", "Races", explored: true),
]

let package = Package(
  name: "ConcurrencyWorkbook",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "workbook", targets: ["WorkbookCLI"]),
    .library(name: "Interleaving", targets: ["Interleaving"]),
    .library(name: "InterleavingTesting", targets: ["InterleavingTesting"]),
    .library(name: "ControlledDispatch", targets: ["ControlledDispatch"]),
  ],
  targets: [
    .target(name: "CLinux"),
    .target(name: "Interleaving", swiftSettings: strict),
    .target(name: "ControlledDispatch", dependencies: ["Interleaving"], swiftSettings: strict),
    .target(
      name: "InterleavingTesting", dependencies: ["Interleaving"], swiftSettings: strict),
    .target(
      name: "Workbook",
      dependencies: [
        "Interleaving", .target(name: "CLinux", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "WorkbookCLI",
      dependencies: [
        "Workbook", "Interleaving", "InterleavingTesting", "ControlledDispatch", "Queues", "Races",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "InterleavingTests", dependencies: ["InterleavingTesting"], swiftSettings: strict),
    .testTarget(
      name: "ControlledDispatchTests", dependencies: ["ControlledDispatch", "InterleavingTesting"],
      swiftSettings: strict),
    .testTarget(name: "WorkbookTests", dependencies: ["Workbook"], swiftSettings: strict),
    .testTarget(
      name: "WorkbookCLITests", dependencies: ["Workbook", "WorkbookCLI"], swiftSettings: strict),
    .testTarget(
      name: "CourseTests", dependencies: ["Workbook", "WorkbookCLI"], exclude: ["Fixtures"],
      swiftSettings: strict),
  ] + chapters.flatMap { $0 },
  swiftLanguageModes: [.v6]
)
