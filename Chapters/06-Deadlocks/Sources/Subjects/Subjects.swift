import Dispatch
import Workbook

/// What the chapter plays, explores and watches, in the order of its text.
public let subjects: [Subject] = [
  .ownQueue, .mainFromMain, .twoQueues, .twoLocks, .timeLimit, .sharedTarget, .ownSignal, .ownGroup,
  .operationCycle, .ownOperationQueue, .blockedPool, .philosophers, .taskCycle, .twoTaskCycle,
  .forgottenContinuation, .unfinishedStream, .blockedCooperativePool, .blockedMainActor,
  .cancelUnderLock,
]

/// Waits for what calls back.
func waiting(for begin: (_ completion: @escaping @Sendable (String) -> Void) -> Void) -> String {
  let (done, result) = (DispatchSemaphore(value: 0), Result())
  begin { text in
    result.text = text
    done.signal()
  }
  done.wait()
  return result.text
}

// Sendable because it is written before the signal and read after the wait.
private final class Result: @unchecked Sendable {
  var text = ""
}
