import Foundation
import Synchronization

#if os(Linux)
  import CLinux
#endif

/// A child that has been started and is not yet reaped, with this process's ends of its pipes.
final class SpawnedProcess: Sendable {
  let id: pid_t
  /// Reads what the child writes to standard output.
  let output: FileHandle
  /// Reads what the child writes to standard error.
  let errors: FileHandle
  /// Becomes readable when the child ends, where the system can tell.
  let end: FileHandle?
  /// Closes with this process, or with this object.
  private let lifeline: FileHandle
  private let isReaped = Mutex(false)

  /// - Parameter channel: What the child has as descriptor ``HazardProtocol/channel``, if it is given one.
  init(
    _ program: String, _ arguments: [String], environment: [String: String],
    channel: FileHandle? = nil
  ) throws {
    Self.keepsZombies
    let output = try ClosingPipe()
    let errors = try ClosingPipe()
    let lifeline = try ClosingPipe()
    var actions = SpawnActions()
    actions.open("/dev/null", as: STDIN_FILENO)
    actions.duplicate(output.writing, as: STDOUT_FILENO)
    actions.duplicate(errors.writing, as: STDERR_FILENO)
    actions.duplicate(lifeline.reading, as: HazardProtocol.lifeline)
    if let channel { actions.duplicate(channel, as: HazardProtocol.channel) }
    // What this process was started with, a terminal's or an editor's descriptors say, is none of the child's.
    actions.close(from: HazardProtocol.channel + (channel == nil ? 0 : 1))
    let variables = environment.map { "\($0.key)=\($0.value)" }
    id = try actions.spawn(program, [program] + arguments, variables)
    self.output = output.reading
    self.errors = errors.reading
    self.lifeline = lifeline.writing
    #if os(Linux)
      let descriptor = linux_pidfd_open(id)
      end = descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    #else
      end = nil
    #endif
  }

  /// Whoever started this process may have had it ignore SIGCHLD; then the kernel would reap children
  /// by itself, and how they ended would be lost.
  private static let keepsZombies: Void = {
    var action = sigaction()
    sigaction(SIGCHLD, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler  // untested
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    if unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGCHLD, SIG_DFL)
    }
  }()

  /// Whether the child has ended; it is not reaped by asking, so that its number stays its own.
  var hasEnded: Bool {
    var info = siginfo_t()
    let result = waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    return result == 0 ? info.signal != 0 : errno == ECHILD
  }

  /// Kills the child and its group, unless it is reaped already.
  func kill() {
    isReaped.withLock { isReaped in
      if !isReaped { _ = Foundation.kill(-id, SIGKILL) }
    }
  }

  /// Kills what is left of the child's group, waits for the child and says how it ended.
  func reap() -> ChildProcess.Ending {
    kill()
    return wait()
  }

  /// Waits for the child and says how it ended; what is left of its group goes on.
  func wait() -> ChildProcess.Ending {
    var status: Int32 = 0
    isReaped.withLock { isReaped in
      while waitpid(id, &status, 0) == -1 && errno == EINTR {}
      isReaped = true
    }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signaled(signal)
  }
}

extension siginfo_t {
  /// The signal, 0 where `waitid` had nothing to say.
  fileprivate var signal: Int32 { si_signo }
}

/// A pipe whose ends close when they are no longer used, and in every child that is not given them.
private struct ClosingPipe {
  let reading: FileHandle
  let writing: FileHandle

  init() throws {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let result = pipe(&ends)  // untested; posix_spawn closes all others there, see SpawnActions
    #else
      let result = linux_pipe_close_on_exec(&ends)
    #endif
    guard result == 0 else { throw LaunchError(program: "a child", reason: errorText(errno)) }
    reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  }
}

/// What `posix_spawn` is told, with the storage that it needs.
private struct SpawnActions: ~Copyable {
  #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?  // untested
    private var attributes: posix_spawnattr_t?
    private let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT
  #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    private let flags = POSIX_SPAWN_SETPGROUP
  #endif

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  deinit {
    var actions = actions
    var attributes = attributes
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  mutating func open(_ path: String, as descriptor: Int32) {
    posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
  }

  mutating func duplicate(_ handle: FileHandle, as descriptor: Int32) {
    posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, descriptor)
  }

  mutating func close(from descriptor: Int32) {
    #if os(Linux)
      linux_spawn_close_from(&actions, descriptor)
    #endif
  }

  /// Starts a program in a group of its own, with every signal as a shell would set it.
  mutating func spawn(
    _ program: String, _ arguments: [String], _ environment: [String]
  ) throws -> pid_t {
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(flags | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for string in argv + envp { free(string) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, program, &actions, &attributes, argv, envp)
    guard result == 0 else { throw LaunchError(program: program, reason: errorText(result)) }
    return id
  }
}

private func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }
