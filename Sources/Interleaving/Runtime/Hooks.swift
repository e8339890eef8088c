import CInterleaving

extension SwiftRuntime {
  /// Whether `Task {}`, `Task.detached`, the main actor and the order between tasks can be caught.
  static let hasHooks = installHooks() && trackOrder()

  /// Takes hold of the runtime, once in a process, before the first exploration.
  static func takeHold() { _ = hasHooks }

  /// Who receives the jobs that the calling thread makes ready; nil if that is the runtime's own business.
  static var receiver: JobReceiver? {
    interleaving_get_seat().map {
      Unmanaged<JobReceiver>.fromOpaque($0.pointee.receiver).takeUnretainedValue()
    }
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
        receiver.receive(job, isOnMain: false)
      } else {
        original(job)
      }
    }
    let onMain: MainExecutorHook = { original in
      SwiftRuntime.receiver?.mainExecutor() ?? original()
    }
    // Another tool's hook is not chained: two owners of every job cannot both be right.
    let enqueueSlot = enqueue.assumingMemoryBound(to: EnqueueHook?.self)
    let mainSlot = main.assumingMemoryBound(to: MainExecutorHook?.self)
    guard enqueueSlot.pointee == nil, mainSlot.pointee == nil else { return false }

    enqueueSlot.pointee = onEnqueue
    mainSlot.pointee = onMain
    return true
  }

  /// Begins to tell receivers how the runtime orders what their tasks do; called once.
  ///
  /// - Returns: Whether it can be told.
  private static func trackOrder() -> Bool {
    interleaving_track_order { receiver, address, use in
      let receiver = Unmanaged<JobReceiver>.fromOpaque(receiver).takeUnretainedValue()
      let isJob = SwiftRuntime.layout?.isJob(at: address) ?? true
      switch Int(use) {
      case interleaving_job_acquired where isJob, interleaving_mutex_locked:
        receiver.synchronize(by: address, .acquired)
      case interleaving_job_released where isJob, interleaving_mutex_unlocked:
        receiver.synchronize(by: address, .released)
      case interleaving_mutex_made: receiver.synchronize(by: address, .made)
      default: break
      }
    }
  }
}
