import ControlledDispatch
import Foundation

/// Two threads ask at once.
///
/// - Returns: How often it was done.
public func debounceTwoCalls(isRight: Bool) -> Int {
  let runs = Journal<String>()
  let queue = DispatchQueue(label: "search")
  let action: @Sendable () -> Void = { runs.add("search") }
  let call =
    isRight
    ? Right.Debouncer(delay: .milliseconds(300), queue: queue, action: action).call
    : Wrong.Debouncer(delay: .milliseconds(300), queue: queue, action: action).call
  strands(call, call)
  Thread.sleep(forTimeInterval: 60)
  return runs.all.count
}

/// Two threads add the same word.
public func countWords(isRight: Bool) -> Int {
  let words = (right: Right.WordCount(), wrong: Wrong.WordCount())
  let add: @Sendable () -> Void = {
    isRight ? words.right.add("swift") : words.wrong.add("swift")
  }
  strands(add, add)
  return isRight ? words.right.count(of: "swift") : words.wrong.count(of: "swift")
}

/// Two threads add to a stock.
public func fillStock(isRight: Bool) -> Int {
  let stock = (right: Right.Stock(), wrong: Wrong.Stock())
  let add: @Sendable () -> Void = { isRight ? stock.right.add(1) : stock.wrong.add(1) }
  strands(add, add)
  return isRight ? stock.right.count : stock.wrong.count
}

/// Two threads count a visit.
public func countVisits(isRight: Bool) -> Int {
  let visits = (right: Right.Visits(), wrong: Wrong.Visits())
  let add: @Sendable () -> Void = { isRight ? visits.right.add() : visits.wrong.add() }
  strands(add, add)
  return isRight ? visits.right.count : visits.wrong.count
}

/// Two pages are fetched.
///
/// - Returns: Those that were there when all should have been.
public func downloadPages(isRight: Bool) -> [Int] {
  let fetched = Journal<[Int]>()
  let end = DispatchSemaphore(value: 0)
  let completion: @Sendable ([Int]) -> Void = {
    fetched.add($0)
    end.signal()
  }
  if isRight {
    Right.DownloadCoordinator().download([1, 2], completion: completion)
  } else {
    Wrong.DownloadCoordinator().download([1, 2], completion: completion)
  }
  end.wait()
  return fetched.all[0]
}

/// Reads a file that can be read and one that cannot.
public func importFiles(isRight: Bool) -> Int {
  let counts = Journal<Int>()
  let end = DispatchSemaphore(value: 0)
  let completion: @Sendable (Int) -> Void = {
    counts.add($0)
    end.signal()
  }
  if isRight {
    Right.BatchImport().run(["a.csv", "b.exe"], completion: completion)
  } else {
    Wrong.BatchImport().run(["a.csv", "b.exe"], completion: completion)
  }
  end.wait()
  return counts.all[0]
}

/// Two transfers, of which one may run at once, on a pool of one thread.
public func runTransfers(isRight: Bool) -> Int {
  WorkerPool.limit(to: 1)
  let ends = DispatchGroup()
  let transferred = Journal<String>()
  let run =
    isRight ? Right.TransferPool(width: 1).run(_:) : Wrong.TransferPool(width: 1).run(_:)
  for name in ["first", "second"] {
    ends.enter()
    run { done in
      DispatchQueue.global().async {
        transferred.add(name)
        done()
        ends.leave()
      }
    }
  }
  ends.wait()
  return transferred.all.count
}

/// Two threads want the token.
///
/// - Returns: How often somebody signed in.
public func signIn(isRight: Bool) -> Int {
  if isRight {
    let manager = Right.SessionManager.shared
    manager.reset()
    strands({ _ = manager.token }, { _ = manager.token })
    return manager.signInCount
  }
  let manager = Wrong.SessionManager.shared
  manager.reset()
  strands({ _ = manager.token }, { _ = manager.token })
  return manager.signInCount
}

/// Inserts rows one by one and in a transaction.
public func insertRows(isRight: Bool) -> Int {
  if isRight {
    let database = Right.Database()
    database.insertAll([1, 2])
    database.insert(3)
    return database.count
  }
  let database = Wrong.Database()
  database.insertAll([1, 2])
  database.insert(3)
  return database.count
}
