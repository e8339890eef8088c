import ControlledDispatch
import Foundation

/// Sets a title on the main thread and on another.
///
/// - Returns: What each replaced.
public func setTitle(isRight: Bool) -> [String] {
  let replaced = Journal<String>()
  let end = DispatchSemaphore(value: 0)
  let title = (right: Right.WindowTitle(), wrong: Wrong.WindowTitle())
  let set: @Sendable (String) -> Void = {
    replaced.add(isRight ? title.right.set($0) : title.wrong.set($0))
  }
  strands(
    { set("other") },
    {
      DispatchQueue.main.async {
        set("main")
        end.signal()
      }
    })
  end.wait()
  return replaced.all.sorted()
}

/// Serves two requests.
///
/// - Returns: What was logged.
public func logRequests(isRight: Bool) -> [String] {
  let logged = Journal<String>()
  let ends = DispatchGroup()
  let log: @Sendable (Int?) -> Void = { logged.add($0.map(String.init) ?? "nothing") }
  let serve = isRight ? Right.Server(log: log).serve : Wrong.Server(log: log).serve
  for number in 1...2 {
    ends.enter()
    serve(number) { ends.leave() }
  }
  ends.wait()
  return logged.all.sorted()
}

/// One thread puts two letters into a mailbox, and another takes two.
///
/// - Returns: What it took.
public func passLetters(isRight: Bool) -> [String] {
  let taken = Journal<String>()
  let box = (right: Right.Mailbox(), wrong: Wrong.Mailbox())
  let limit = Date(timeIntervalSinceNow: 60)
  strands(
    {
      for letter in 1...2 {
        _ = isRight ? box.right.put(letter, before: limit) : box.wrong.put(letter, before: limit)
      }
    },
    {
      for _ in 1...2 {
        let letter = isRight ? box.right.take(before: limit) : box.wrong.take(before: limit)
        taken.add(letter.map(String.init) ?? "nothing")
      }
    })
  return taken.all
}
