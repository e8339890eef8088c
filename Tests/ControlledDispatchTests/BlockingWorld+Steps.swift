@testable import ControlledDispatch

extension BlockingWorld {
  /// - Parameters:
  ///   - strand: Whose step it is.
  ///   - word: What is said, where something is.
  func take(_ step: BlockingProgram.Step, strand: Int, word: Int) {
    func note(_ value: Int) { record.registers[strand].append(value) }
    let runs = runs
    func block(_ body: BlockingProgram.Body) -> @Sendable () -> Void {
      { runs.world.do(body, word: word) }
    }
    switch step {
    case .say: say(word)
    case .hear:
      voice.perform(.load, "hears")
      note(record.words.count)
    case .add: sum.value += 1
    case .enter(let group): groups[group].enter()
    case .leave(let group): groups[group].leave()
    case .wait(let group): groups[group].wait()
    case .waitUntil(let group, let time):
      note(groups[group].wait(timeout: .now() + .milliseconds(time)) == .success ? 1 : 0)
    case .notify(let group, let target):
      groups[group].notify(queue: queue(target), execute: block(.say))
    case .member(let group, let target, let body):
      queue(target).async(group: groups[group], execute: block(body))
    case .addOperation(let index): operation(index).map(operationQueue.addOperation)
    case .barrierOperation: operationQueue.addBarrierBlock(block(.say))
    case .cancelOperation(let index): operation(index)?.cancel()
    case .cancelAll: operationQueue.cancelAllOperations()
    case .ask(let index): operation(index).map { note($0.isFinished ? 1 : 0) }
    case .depend(let index, let other):
      if index != other, let operation = operation(index), let other = self.operation(other) {
        operation.addDependency(other)
      }
    case .removeDependency(let index, let other):
      if let operation = operation(index), let other = self.operation(other) {
        operation.removeDependency(other)
      }
    case .prioritise(let index, let priority): operation(index)?.queuePriority = priority
    case .waitForOperation(let index): operation(index)?.waitUntilFinished()
    case .drain: operationQueue.waitUntilAllOperationsAreFinished()
    case .suspendOperations: operationQueue.isSuspended = true
    case .resumeOperations: operationQueue.isSuspended = false
    case .widen(let width): operationQueue.maxConcurrentOperationCount = width
    case .async(let target, let body): queue(target).async(execute: block(body))
    case .sync(let target, let body): queue(target).sync(execute: block(body))
    case .barrier(let target, let body):
      queue(target).async(flags: .barrier, execute: block(body))
    case .syncBarrier(let target, let body):
      queue(target).sync(flags: .barrier, execute: block(body))
    case .suspend(let target): queue(target).suspend()
    case .resume(let target): queue(target).resume()
    case .submit(let item, let target): queue(target).async(execute: items[item])
    case .performItem(let item): items[item].perform()
    case .cancelItem(let item): items[item].cancel()
    case .waitForItem(let item): items[item].wait()
    case .waitForItemUntil(let item, let time):
      note(items[item].wait(timeout: .now() + .milliseconds(time)) == .success ? 1 : 0)
    case .notifyOfItem(let item, let target):
      items[item].notify(queue: queue(target), execute: block(.say))
    case .signal: semaphore.signal()
    case .take: semaphore.wait()
    case .takeUntil(let time):
      note(semaphore.wait(timeout: .now() + .milliseconds(time)) == .success ? 1 : 0)
    case .sleep(let time): Thread.sleep(forTimeInterval: Double(time) / 1000)
    case .after(let time, let target, let body):
      queue(target).asyncAfter(deadline: .now() + .milliseconds(time), execute: block(body))
    }
  }

  private func operation(_ index: Int) -> Operation? {
    operations.isEmpty ? nil : operations[index % operations.count]
  }
}
