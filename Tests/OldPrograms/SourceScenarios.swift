import ControlledDispatch

/// Polls every second for two and a half, pauses, and is released.
///
/// - Returns: How often it polled.
public func pollAndPause(isRight: Bool) -> Int {
  let polls = Journal<String>()
  let poll: @Sendable () -> Void = { polls.add("poll") }
  if isRight {
    let poller = Right.Poller(every: .seconds(1), poll: poll)
    poller.start()
    Thread.sleep(forTimeInterval: 2.5)
    poller.pause()
  } else {
    let poller = Wrong.Poller(every: .seconds(1), poll: poll)
    poller.start()
    Thread.sleep(forTimeInterval: 2.5)
    poller.pause()
  }
  return polls.all.count
}

/// Two workers have each done a step.
///
/// - Returns: How many steps were told of.
public func mergeProgress(isRight: Bool) -> Int {
  let merger = (right: Right.ProgressMerger(), wrong: Wrong.ProgressMerger())
  let step: @Sendable () -> Void = { isRight ? merger.right.step() : merger.wrong.step() }
  strands(step, step)
  Thread.sleep(forTimeInterval: 60)
  return Int(isRight ? merger.right.count : merger.wrong.count)
}
