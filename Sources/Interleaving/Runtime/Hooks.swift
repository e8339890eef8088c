import CInterleaving
import Synchronization

extension SwiftRuntime {
  /// Whether `Task {}`, `Task.detached`, the main actor and the order between tasks can be caught.
  static let hasHooks = installHooks() && trackOrder()

  /// Whether the runtime has the functions by which tasks are cancelled and asked whether they are, so that this library's
  /// stand before them.
  static let hasEntries = interleaving_has_entries()

  /// Whether the runtime tells of references that are made and dropped.
  static let seesLifetimes = hasHooks && interleaving_find_lifetimes()

  /// Takes hold of the runtime, once in a process, before the first exploration.
  static func takeHold() { _ = hasHooks }

  /// Who receives the jobs that the calling thread makes ready; nil if that is the runtime's own business.
  static var receiver: JobReceiver? {
    interleaving_get_seat().map { receiver($0.pointee.receiver) }
  }

  /// Makes the calling thread run jobs for a receiver, which must outlive the thread's work for it.
  static func setReceiver(_ receiver: JobReceiver?) { interleaving_set_seat(receiver?.seat) }

  private typealias EnqueueOriginal = @convention(thin) (UnownedJob) -> Void
  private typealias EnqueueHook = @convention(thin) (UnownedJob, EnqueueOriginal) -> Void
  private typealias MainExecutorOriginal = @convention(thin) () -> UnownedSerialExecutor
  private typealias MainExecutorHook =
    @convention(thin) (MainExecutorOriginal) -> UnownedSerialExecutor

  private static func installHooks() -> Bool {
    guard let enqueue = symbol("swift_task_enqueueGlobal_hook"),
      let main = symbol("swift_task_getMainExecutor_hook")
    else { return false }
    let onEnqueue: EnqueueHook = { job, original in
      if let receiver = SwiftRuntime.receiver ?? Fugitives.receiver(of: job) {
        receiver.apart { receiver.receive(job, isOnMain: false) }
      } else {
        original(job)
      }
    }
    let onMain: MainExecutorHook = { original in
      SwiftRuntime.receiver.map { receiver in receiver.apart { receiver.mainExecutor() } }
        ?? original()
    }
    // Another tool's hook is not chained: two owners of every job cannot both be right.
    let enqueueSlot = enqueue.assumingMemoryBound(to: EnqueueHook?.self)
    let mainSlot = main.assumingMemoryBound(to: MainExecutorHook?.self)
    guard enqueueSlot.pointee == nil, mainSlot.pointee == nil else { return false }

    enqueueSlot.pointee = onEnqueue
    mainSlot.pointee = onMain
    return true
  }

  private typealias WillThrow = @convention(c) (UnsafeMutableRawPointer) -> Void
  /// What another tool, such as a test library, does with errors that are thrown: the address of a ``WillThrow``, or 0.
  private static let otherWillThrow = Atomic<UInt>(0)

  /// Has scenarios tell what they throw, where they are written down; used once in a process.
  static let tellsErrors: Bool = {
    guard let slot = symbol("_swift_willThrow")?.assumingMemoryBound(to: WillThrow?.self) else {
      return false
    }
    otherWillThrow.store(unsafeBitCast(slot.pointee, to: UInt.self), ordering: .releasing)
    slot.pointee = { box in
      let other = SwiftRuntime.otherWillThrow.load(ordering: .acquiring)
      unsafeBitCast(other, to: WillThrow?.self)?(box)
      guard interleaving_get_seat()?.pointee.is_in_scenario == true,
        let executor = ScenarioExecutor.current
      else { return }
      executor.apart {
        executor.note("throws \(kind(of: unsafeBitCast(box, to: (any Error).self)))")
      }
    }
    return true
  }()

  /// As in: CancellationError. As in: PaymentError.declined.
  private static func kind(of error: any Error) -> String {
    let type = "\(type(of: error))"
    return Mirror(reflecting: error).displayStyle == .enum ? "\(type).\(describe(error))" : type
  }

  /// Begins to watch how the runtime orders what tasks do, and what scenarios' code does; called once.
  ///
  /// - Returns: Whether it can be told.
  private static func trackOrder() -> Bool {
    var calls = interleaving_calls(
      access: { receiver, memory, place, isWrite in
        SwiftRuntime.receiver(receiver).use(memory, at: Place(place), isWrite: isWrite)
      },
      keep: { receiver, uses, count, what, name, place in
        SwiftRuntime.receiver(receiver).useKept(
          Array(UnsafeBufferPointer(start: uses, count: Int(count))), by: what,
          of: name.map { String(cString: $0) }, at: Place(place))
      },
      operate: { receiver, operation, object, other, nanoseconds, place in
        SwiftRuntime.receiver(receiver).operate(
          RealOperation(rawValue: Int(operation))!, on: object, with: other,
          for: nanoseconds < 0 ? nil : .nanoseconds(nanoseconds), at: Place(place))
      },
      make: { receiver, lock, isNew in SwiftRuntime.receiver(receiver).make(lock, isNew) },
      identify: { receiver, bytes in
        let identity = SwiftRuntime.receiver(receiver).makeIdentity()
        guard let identity else { return false }
        UnsafeMutableRawPointer(bytes).storeBytes(of: identity, as: (UInt64, UInt64).self)
        return true
      },
      read_time: { receiver, place in
        let (seconds, attoseconds) =
          SwiftRuntime.receiver(receiver).readTime(at: Place(place)).components
        // A sleep for ever may have ended; a century after the beginning clocks stand still.
        return min(seconds, 3_155_760_000) * 1_000_000_000 + attoseconds / 1_000_000_000
      },
      trap: { receiver, message, places, count in
        SwiftRuntime.receiver(receiver)
          .trap(String(cString: message), at: SwiftRuntime.places(places, count))
      },
      stop: { receiver, isWaiting, places, count in
        SwiftRuntime.receiver(receiver)
          .stop(isWaiting: isWaiting, at: SwiftRuntime.places(places, count))
      })
    interleaving_listen(&calls)
    interleaving_await_deaths()
    return interleaving_track_order(layout?.taskMetadata ?? 0, layout?.jobMetadata ?? 0)
  }

  private static func places(_ offsets: UnsafePointer<UInt>, _ count: Int32) -> [Place] {
    (0..<Int(count)).map { Place(offsets[$0]) }
  }

  private static func receiver(_ pointer: UnsafeMutableRawPointer) -> JobReceiver {
    Unmanaged<JobReceiver>.fromOpaque(pointer).takeUnretainedValue()
  }
}
