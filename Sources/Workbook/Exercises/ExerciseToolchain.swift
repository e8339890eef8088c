import Foundation

/// The compiler, and the explorer's modules and object files as they were built with this program.
struct ExerciseToolchain: Sendable {
  private let compiler: String
  /// Where modules are found, and how what imports them is compiled.
  private let modules: [String]
  /// The object files of what a check imports.
  private let linked: [String]
  /// How long a compilation may take, in seconds of processor time.
  let limit: Int
  /// What the check and the answer may use.
  let limits: Supervision.Limits

  /// The modules that a check imports.
  static let own = [
    "Interleaving", "ExerciseChecking", "ControlledDispatch", "DeadlockDetection",
    "PrioritySimulation",
  ]

  /// The one of C that they import.
  private static let cModule = "CInterleaving"

  /// - Throws: ``ExerciseError`` if something is missing.
  init(limits: Supervision.Limits, compilerLimit: Int = 120) throws {
    self.limits = limits
    limit = compilerLimit
    compiler = try Self.find("swiftc")
    let build = URL(filePath: try HazardProtocol.program()).resolvingSymlinksInPath()
      .deletingLastPathComponent()
    var modules = ["-I", build.appending(path: "Modules").path]
    let folder = build.appending(path: "\(Self.cModule).build")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    modules += ["-I", folder.path]
    var linked = files.filter { $0.hasSuffix(".c.o") }.sorted().map {
      folder.appending(path: $0).path
    }
    for module in Self.own {
      let map = build.appending(path: "\(module).build/output-file-map.json")
      guard let data = try? Data(contentsOf: map),
        let files = try? JSONDecoder().decode([String: OutputFiles].self, from: data),
        case let objects = files.values.compactMap(\.object).sorted(), !objects.isEmpty
      else {
        throw ExerciseError(
          "\(map.path): not there; run `swift build` in the package's folder, and then this program "
            + "from there")
      }
      linked += objects
    }
    #if !canImport(Darwin)
      let plugins = URL(filePath: compiler).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "lib/swift/host/plugins")
      modules += ["-plugin-path", plugins.path]
    #endif
    // The explorer sees every access of what is compiled for the sanitizer and linked without it.
    modules += (ThreadSanitizer.isActive ? [] : ["-Xfrontend"]) + ["-sanitize=thread"]
    modules += ["-Xllvm", "-tsan-instrument-read-before-write"]
    self.modules = modules
    self.linked = linked
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

  /// Has the compiler write down how it reads an answer.
  ///
  /// - Returns: Whether it could read it; if not, compiling it says why.
  func readSyntax(in work: WorkFolder) async throws -> Bool {
    let result = try await ChildProcess.run(
      compiler,
      [
        "-frontend", "-dump-parse", "-swift-version", "6",
        "-module-name", Self.answer, "-parse-as-library", "-primary-file",
        work.exercise.path, "-o", work.syntax.path,
      ])
    return result.ending == .exited(0)
  }

  /// A call of the compiler: it ends after ``limit`` seconds of processor time, however busy the machine is.
  struct Compilation: Sendable {
    let arguments: [String]
    fileprivate let compiler: String
    fileprivate let folder: URL
    fileprivate let limit: Int

    func callAsFunction() async throws -> ChildProcess.Result {
      try await ChildProcess.run(
        "/bin/sh",
        [
          "-c", #"cd "$0" && ulimit -t "$1" && shift && exec "$@""#, folder.path, "\(limit)",
          compiler,
        ]
          + arguments,
        environment: ["TMPDIR": folder.path, "NO_COLOR": "1"])
    }
  }

  /// The compilation of the answer, as a module of its own: what it declares takes no name from the check.
  func compileAnswer(in work: WorkFolder) -> Compilation {
    compilation(
      in: work,
      [
        // Where one call of an actor follows another, the compiler stays on the actor in between, in debug, too. Nobody is
        // promised that, so an answer is not right by it.
        "-Xllvm", "-sil-disable-pass=optimize-hop-to-executor",
        "-module-name", Self.answer, "-enable-testing", "-c", "-o", work.object.path,
        "-emit-module", "-emit-module-path", work.module.path, work.exercise.path,
      ] + modules)
  }

  /// The compilation of the check, against the answer's module.
  func compileCheck(in work: WorkFolder) throws -> Compilation {
    let main = work.url.appending(path: "Main.swift")
    try Data(Self.main.utf8).write(to: main)
    return compilation(
      in: work,
      [
        "-module-name", "Check", "-I", work.url.path, "-c", "-o", work.checkObject.path,
        work.check.path, main.path,
      ] + modules)
  }

  /// Links both with the explorer.
  func link(in work: WorkFolder) -> Compilation {
    var arguments = ["-o", program(in: work), work.checkObject.path, work.object.path] + linked
    #if os(Linux)
      // The toolchain's own takes half the time of the system's.
      arguments.append("-use-ld=lld")
    #endif
    if ThreadSanitizer.isActive { arguments.append("-sanitize=thread") }
    return Compilation(arguments: arguments, compiler: compiler, folder: work.url, limit: limit)
  }

  private func compilation(in work: WorkFolder, _ arguments: [String]) -> Compilation {
    Compilation(
      // Of debug information the lines alone are read, and each file is compiled once.
      arguments: [
        "-swift-version", "6", "-Onone", "-gline-tables-only", "-whole-module-optimization",
        "-parse-as-library",
      ] + arguments, compiler: compiler, folder: work.url, limit: limit)
  }

  /// The run of what was compiled.
  func run(in work: WorkFolder) -> Supervision {
    Supervision(
      program: program(in: work), arguments: ["\(HazardProtocol.channel)"], folder: work.url,
      limits: limits)
  }

  private func program(in work: WorkFolder) -> String { work.url.appending(path: "check").path }

  /// What the answer's module is called.
  static let answer = "Answer"

  private static let main = """
    import ExerciseChecking

    @main struct Main {
      static func main() async { await CheckProgram.run() }
    }

    """
}
