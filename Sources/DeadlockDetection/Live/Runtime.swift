import Foundation

/// What is asked of the system and of Swift's runtime beyond their Swift interfaces.
enum Runtime {
  /// The address of the current task, or 0.
  typealias CurrentTask = @convention(c) () -> UInt
  /// The number of the task at an address.
  typealias TaskNumber = @convention(c) (UInt) -> UInt64

  /// `swift_task_getCurrent`, which `withUnsafeCurrentTask` calls, without the 30 ns of the latter.
  ///
  /// A Swift function without parameters that returns a pointer is called as C calls it, on x86-64 and arm64.
  static let currentTask: CurrentTask =
    symbol("swift_task_getCurrent").map { unsafeBitCast($0, to: CurrentTask.self) }
    ?? { withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: UInt.self) } ?? 0 } }

  /// `swift_task_getJobTaskId`, a number that no other task has; without the runtime's help, its address.
  static let taskNumber: TaskNumber =
    symbol("swift_task_getJobTaskId").map { unsafeBitCast($0, to: TaskNumber.self) }
    ?? { UInt64($0) }

  /// Keeps the numbers of tasks apart from those that ``Resource/nextNumber()`` gives.
  static let taskBit: Party = 1 << 62

  /// The number that Swift's own tools show for a task.
  static func number(ofTask task: Party) -> UInt { task & ~taskBit }

  private static let label: (@convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?)? =
    symbol("dispatch_queue_get_label").map {
      unsafeBitCast($0, to: (@convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?).self)
    }

  /// The label of the queue that the calling thread runs, as Dispatch knows it.
  static var queueLabel: UnsafePointer<CChar>? { label?(nil) }

  /// Whether the calling thread runs no queue that anyone has made.
  static var isOnRootQueue: Bool {
    guard let label = queueLabel else { return true }
    return label[0] == 0 || strncmp(label, "com.apple.root.", 15) == 0
  }

  /// Whether the calling thread runs the main queue; the main thread need not be the one (Linux).
  static var isOnMainQueue: Bool {
    queueLabel.map { strcmp($0, "com.apple.main-thread") == 0 } ?? false
  }

  /// Whether the calling thread belongs to Swift's cooperative pool, judged by the label of its queue.
  static var isOnCooperativePool: Bool {
    guard let label = queueLabel else { return false }
    #if canImport(Darwin)
      return String(cString: label).hasSuffix(".cooperative")  // Untested.
    #else
      return strcmp(label, "Swift global concurrent queue") == 0
    #endif
  }

  /// The number by which the system knows the calling thread.
  static var threadNumber: UInt {
    #if canImport(Darwin)
      var number: UInt64 = 0  // Untested.
      pthread_threadid_np(nil, &number)
      return UInt(number)
    #else
      var path = [CChar](repeating: 0, count: 64)
      _ = readlink("/proc/thread-self", &path, 63)
      return text(path).split(separator: "/").last.flatMap { UInt($0) } ?? 0
    #endif
  }

  /// The name that was given to a thread, by its number, while it has not ended; nil if none was.
  ///
  /// Not by Foundation's Thread, whose `name` is always the calling thread's (Linux, 6.3.1).
  static func name(ofThread number: UInt) -> String? {
    #if canImport(Darwin)
      var name = [CChar](repeating: 0, count: 64)  // Untested; the calling thread's alone.
      guard pthread_getname_np(pthread_self(), &name, name.count) == 0 else { return nil }
      let given = text(name)
    #else
      guard let file = fopen("/proc/self/task/\(number)/comm", "r") else { return nil }
      defer { fclose(file) }
      var name = [CChar](repeating: 0, count: 64)
      guard fgets(&name, 64, file) != nil else { return nil }
      let given = text(name)
    #endif
    // Threads inherit their maker's name; Dispatch calls its own by the end of a queue's label.
    let isInherited =
      given == processName
      || ["-qos", "-qos.overcommit", "oncurrent queue"].contains(where: given.hasSuffix)
    return given.isEmpty || isInherited ? nil : given
  }

  /// What threads are called before they are given a name.
  private static let processName = String(
    (CommandLine.arguments.first ?? "").split(separator: "/").last?.prefix(15) ?? "")

  private static func text(_ characters: [CChar]) -> String {
    let line = characters.prefix { $0 != 0 && $0 != 10 }
    return String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func symbol(_ name: String) -> UnsafeMutableRawPointer? {
    dlsym(UnsafeMutableRawPointer(bitPattern: 0), name)
  }
}
