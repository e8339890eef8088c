import Foundation

/// The compiler, and the explorer's modules and object files as they were built with this program.
struct ExerciseToolchain: Sendable {
  private let compiler: String
  private let arguments: [String]
  /// How long a compilation may take, in seconds.
  let limit = 120.0
  /// What the check and the answer may use.
  let limits: Supervision.Limits

  /// The modules that a check imports.
  private static let modules = [
    "Interleaving", "InterleavingTesting", "ControlledDispatch", "DeadlockDetection",
    "PrioritySimulation",
  ]

  /// The one of C that they import.
  private static let cModule = "CInterleaving"

  /// - Throws: ``ExerciseError`` if something is missing.
  init(limits: Supervision.Limits) throws {
    self.limits = limits
    compiler = try Self.find("swiftc")
    let build = URL(filePath: try HazardProtocol.program()).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    var arguments = ["-I", build.appending(path: "Modules").path]
    let folder = build.appending(path: "\(Self.cModule).build")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    arguments += ["-I", folder.path]
    arguments += files.filter { $0.hasSuffix(".c.o") }.sorted().map {
      folder.appending(path: $0).path
    }
    for module in Self.modules {
      let map = build.appending(path: "\(module).build/output-file-map.json")
      guard let data = try? Data(contentsOf: map),
        let files = try? JSONDecoder().decode([String: OutputFiles].self, from: data),
        case let objects = files.values.compactMap(\.object).sorted(), !objects.isEmpty
      else {
        throw ExerciseError(
          "\(map.path): not there; run `swift build` in the package's folder, and then this program "
            + "from there")
      }
      arguments += objects
    }
    #if !canImport(Darwin)
      let plugins = URL(filePath: compiler).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "lib/swift/host/plugins")
      arguments += ["-plugin-path", plugins.path]
    #endif
    // The explorer sees every access of what is compiled for the sanitizer and linked without it.
    arguments += (ThreadSanitizer.isActive ? [] : ["-Xfrontend"]) + ["-sanitize=thread"]
    self.arguments = arguments
  }

  private struct OutputFiles: Decodable {
    let object: String?
  }

  /// A program on the path.
  static func find(_ name: String) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let places = path.split(separator: ":").map { "\($0)/\(name)" }
    guard let found = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw ExerciseError("no \(name) on the PATH; the exercises need the Swift toolchain there")
    }
    return found
  }

  /// The compilation of a folder's `Exercise.swift` and `Check.swift`.
  func compile(in work: WorkFolder) throws -> Supervision {
    let main = work.url.appending(path: "Main.swift")
    try Data(Self.main.utf8).write(to: main)
    let files = ["Exercise.swift", "Check.swift", "Main.swift"].map {
      work.url.appending(path: $0).path
    }
    var limits = Supervision.Limits()
    limits.time = limit
    limits.processorTime = .greatestFiniteMagnitude
    limits.memory = 4 << 30
    limits.addressSpace = nil
    limits.file = 1 << 30
    return Supervision(
      program: compiler,
      arguments: [
        "-swift-version", "6", "-Onone", "-g", "-module-name", "Exercise",
        "-parse-as-library", "-o", program(in: work),
      ] + files + arguments,
      folder: work.url, limits: limits, isConfined: false)
  }

  /// The run of what was compiled.
  func run(in work: WorkFolder) -> Supervision {
    Supervision(
      program: program(in: work),
      arguments: [
        "--event-stream-output-path", work.events.path, "--event-stream-version", "0",
        "--no-parallel",
      ], folder: work.url, limits: limits)
  }

  private func program(in work: WorkFolder) -> String { work.url.appending(path: "check").path }

  /// The main function that the package manager would have made.
  private static let main = """
    import Testing

    @main struct Main {
      static func main() async { await Testing.__swiftPMEntryPoint() as Never }
    }

    """
}
