import CInterleaving

// What a task does to tasks, without a lock of the scenario's.

extension ScenarioExecutor {
  /// A task is about to be cancelled or asked whether it is, or a lock within a library is taken or given back.
  ///
  /// - Returns: Whether such a lock was taken by an operation.
  func act(_ operation: RealOperation, on object: UnsafeRawPointer, at place: Place) -> Bool {
    guard layout != nil, let running = execution.running else { return false }
    if operation == .passStatus {
      if let owner = anyStrand(of: statusOwner(of: object)) { execution.useStatus(of: owner) }
      return false
    }
    // Who suspends lets go of locks, and does nothing else that others see.
    guard operation == .releaseLock || !isSuspended else { return false }
    // Its own status is locked for many reasons; one of them is that a group cancels its tasks.
    if operation == .useStatus, statusOwner(of: object) != TaskReference.current { return false }
    // Whoever it has begun in this step is known from here on.
    if !isSuspended { settle() }
    var own: StrandID { anyStrand(of: TaskReference(object)) ?? running }
    func cancel(_ strands: [StrandID], _ note: @autoclosure () -> String) {
      self.perform(VisibleOperation(strands.map { useStatus(of: $0, .write) }), note())
      // Whoever was begun below them meanwhile, or has ended, is concerned, too.
      for strand in strands.flatMap({ execution.strands.family(of: $0) }) {
        execution.touch(.write, .status(of: strand))
      }
    }
    switch operation {
    case .cancel:
      guard let strand = anyStrand(of: TaskReference(object)) else { return false }
      cancel([strand], "cancels \(execution.strands.names[strand])")
    case .askWhetherCancelled:
      guard let strand = anyStrand(of: TaskReference(object)) else { return false }
      let name = strand == running ? "it" : execution.strands.names[strand]
      perform(
        VisibleOperation([useStatus(of: strand, .read)]), "asks whether \(name) is cancelled")
    case .goToSleep:
      // Who is cancelled does not sleep, and nothing else shows that it has asked.
      guard execution.isReduced, execution.strands[own].task?.isCancelled == true else { break }
      if execution.isStepHidden {
        perform(VisibleOperation([useStatus(of: own, .read)]))
      } else {
        execution.touch(.read, .status(of: own))
      }
    case .awaitNext:
      // Where every schedule is run, the task is cancelled before it comes here, or after.
      guard execution.isReduced, execution.strands[own].parent != nil else { return false }
      perform(VisibleOperation([useStatus(of: own, .passThrough)]), nil, .bookkeeping)
    case .setHandler:
      perform(
        VisibleOperation([useStatus(of: own, .passThrough)]), "changes its cancellation handlers",
        .bookkeeping)
    case .beginChild:
      // The child of who is cancelled is from the beginning. Nobody else can cancel the scenario itself; and where every
      // schedule is run, the child is cancelled before it does anything, or after.
      guard execution.isReduced, execution.strands[own].parent != nil else { return false }
      perform(VisibleOperation([useStatus(of: own, .read)]))
    case .endLets:
      let lets = execution.strands.allChildren(of: own, inGroup: false)
      // Of one that has ended nobody sees that it is cancelled; but it may have asked, which a reduction must know of.
      guard execution.isReduced || lets.contains(where: { !execution.strands[$0].isComplete })
      else { return false }
      cancel(lets, "cancels what is not awaited")
    case .beginAtOnce:
      execution.beginAtOnce(TaskReference(object))
    case .haveBegun:
      // Where it suspends, others may come to know it.
      let task = TaskReference(object)
      if !task.isComplete {
        _ = strand(of: task)
      } else if let strand = execution.strands.strand(of: task) {
        complete(strand)
      }
      execution.haveBegunAtOnce(task)
    case .useStatus:
      guard let owner = anyStrand(of: statusOwner(of: object)) else { return false }
      let children = execution.strands.allChildren(of: owner, inGroup: true)
      guard children.contains(where: { isAboutToBeCancelled($0) }) else { return false }
      cancel(children, "cancels its group")
    case .useRuntime:
      let (stream, whole) = execution.identify(object)
      if !isStream(whole), let owner = ownerOfGroup {
        let use = VisibleOperation.Use(.write, .groups(of: owner), initially: .variable)
        perform(
          VisibleOperation([use]), owner == running ? "looks into its group" : nil, .bookkeeping)
        // The runtime let go of it before it locked the group, and only now the group has it.
        if owner != running, let task = execution.strands[running].task {
          execution.races.release(task)
        }
      } else {
        let use = VisibleOperation.Use(.write, stream, initially: .variable)
        perform(
          VisibleOperation([use]), pulse.paused { SwiftRuntime.streamCall } ?? "uses a stream")
      }
    case .awaitLock:
      let lock = libraryLock(at: object)
      // Who holds it and does not wait for a turn is no strand, and unlocks it soon.
      guard let holder = execution.objects.holders[lock], holder != running else { return false }
      execution.meet(lock)
      let use = VisibleOperation.Use(.acquire, lock, initially: .lock(isHeld: false))
      self.perform(VisibleOperation([use]))
      return true
    case .releaseLock:
      let use = VisibleOperation.Use(
        .release, libraryLock(at: object), initially: .lock(isHeld: false))
      var operation = VisibleOperation([use])
      operation.isPrompt = unlocksAtOnce
      self.perform(operation)
    default: break
    }
    return false
  }

  /// A task has made a continuation, or somebody resumes it.
  ///
  /// - Returns: Whether that may be done: not a second time. If the task has gone on in the meantime, what it was resumed
  ///   with may have been stored where something else is now.
  func noteContinuation(_ operation: RealOperation, of task: TaskReference) -> Bool {
    guard operation == .resume else {
      continuations[task] = .some(nil)
      return true
    }
    guard let running = execution.running, let known = continuations[task],
      let strand = anyStrand(of: task)
    else { return true }
    let begun = execution.strands[strand].begun
    guard let first = known else {
      continuations[task] = .some(begun)
      return true
    }
    report(.resumedTwice(by: running, of: strand))
    if first != begun { execution.report.isDamaged = true }
    return false
  }

  /// The strand that a task of the scenario is or was.
  private func anyStrand(of task: TaskReference) -> StrandID? {
    execution.begunAtOnce.contains(task) ? strand(of: task) : execution.strands.anyStrand(of: task)
  }

  /// Whether an object is what the runtime keeps of a stream; one that is no more may have had the same memory.
  private func isStream(_ object: interleaving_object) -> Bool {
    guard let type = UnsafeRawPointer(bitPattern: object.metadata), object.address != 0,
      // Made within the runtime, and of a class.
      object.place > .max / 2, type.load(as: UInt.self) == 0
    else { return false }
    return _typeName(unsafeBitCast(type, to: Any.Type.self)).contains("Stream")
  }

  /// Whose group the running task looks into: its parent's, when it has ended, else its own, if there is one.
  private var ownerOfGroup: StrandID? {
    guard let running = execution.running else { return nil }
    let row = execution.strands[running]
    if row.isGroupChild, row.task?.isComplete == true { return row.parent }
    return execution.strands.allChildren(of: running, inGroup: true).isEmpty ? nil : running
  }

  private func useStatus(of strand: StrandID, _ action: Action) -> VisibleOperation.Use {
    VisibleOperation.Use(action, .status(of: strand), initially: .lock(isHeld: false))
  }

  private func isAboutToBeCancelled(_ child: StrandID) -> Bool {
    let row = execution.strands[child]
    guard !row.isComplete, let task = row.task, !task.isComplete, !task.isCancelled else {
      return false
    }
    return task.isGroupCancelled
  }

  /// The running strand holds a lock within a library while it waits for its turn.
  func hold(_ lock: UnsafeRawPointer) { execution.hold(libraryLock(at: lock)) }

  /// The task whose status a lock would be.
  private func statusOwner(of lock: UnsafeRawPointer) -> TaskReference {
    TaskReference(lock - SwiftRuntime.Layout.statusLock)
  }

  /// The identity and the name of a lock within a library; those of tasks are their statuses.
  private func libraryLock(at address: UnsafeRawPointer) -> ObjectID {
    guard let strand = anyStrand(of: statusOwner(of: address)) else {
      let id = execution.object(at: address, .libraryLock)
      if let name = SwiftRuntime.nameOfSetUp(at: address) {
        execution.objects.name(id, name)
        execution.report.setUp = name
        setUp = id
      }
      return id
    }
    let id = ObjectID.status(of: strand)
    execution.objects.name(id, "the status of \(execution.strands.names[strand])")
    return id
  }

  /// Whether the running task has been told to suspend, so that another may take it over: it cannot wait for a turn.
  var isSuspended: Bool {
    guard let running = execution.running, execution.strands[running].end == nil, layout != nil,
      let task = TaskReference.current
    else { return false }
    return !task.isRunning
  }
}
