import Foundation

#if canImport(CLinux)
  import CLinux
#endif

/// Begins a program as a child, with the descriptors 0 to 2 of this process and with every signal as a shell sets it.
///
/// - Returns: The child's number. It is the child's until the child is reaped.
/// - Throws: ``SystemError`` if there is no such program, or if it cannot be executed.
func spawn(_ command: Command) throws(SystemError) -> pid_t {
  let arguments = [command.path] + command.arguments
  let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
  guard !(arguments + environment).contains(where: { $0.utf8.contains(0) }) else {
    throw .spawning(command.path, code: EINVAL)
  }
  let strings = (arguments: cStrings(arguments), environment: cStrings(environment))
  defer { for string in strings.arguments + strings.environment { free(string) } }
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?  // untested
    var attributes: posix_spawnattr_t?
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  #if canImport(Darwin)
    let closing = POSIX_SPAWN_CLOEXEC_DEFAULT
    for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addinherit_np(&actions, descriptor) }
  #else
    let closing: Int32 = 0
    linux_spawn_close_from(&actions, 3)
  #endif
  // Threads of Dispatch block most signals. A child that inherits that cannot be told to end.
  var all = sigset_t()
  var none = sigset_t()
  sigfillset(&all)
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(closing)
  posix_spawnattr_setflags(&attributes, Int16(flags))
  var child: pid_t = 0
  let code = posix_spawn(
    &child, command.path, &actions, &attributes, strings.arguments, strings.environment)
  guard code == 0 else { throw .spawning(command.path, code: code) }
  return child
}

private func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
  strings.map { strdup($0) } + [nil]
}
