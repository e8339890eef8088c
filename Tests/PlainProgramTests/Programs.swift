import ControlledDispatch
import PlainPrograms

/// Two increments, each of which reads and then writes.
private let lostUpdates = Set(
  outcomes(
    from: (value: 0, read: [0, 0]),
    (0...1).map { mine in
      [
        {
          $0.read[mine] = $0.value
          return true
        },
        {
          $0.value = $0.read[mine] + 1
          return true
        },
      ]
    }
  ) { "\($0.value)" }.compactMap { $0 })

/// The sum of two accounts, read by one strand while another moves 5.
private let tornSums = Set(
  outcomes(
    from: (checking: 100, savings: 0, sum: 0),
    [
      [
        {
          $0.checking -= 5
          return true
        },
        {
          $0.savings += 5
          return true
        },
      ],
      [
        {
          $0.sum += $0.checking
          return true
        },
        {
          $0.sum += $0.savings
          return true
        },
      ],
    ]
  ) { "\($0.sum)" }.compactMap { $0 })

private func count(_ counter: some Counter) -> Int {
  strands({ counter.increment() }, { counter.increment() })
  return counter.value
}

private func move(_ accounts: some Accounts) -> Int {
  let sum = Sums()
  strands({ accounts.save(5) }, { sum.value = accounts.sum })
  return sum.value
}

/// What one strand saw, for after both have ended.
private final class Sums: @unchecked Sendable {
  var value = 0
}

extension Program {
  static let all: [Program] = counters + fields + collections + locks + tasks

  static let counters = [
    Program("plain counter", races: ["value"], wrong: lostUpdates, right: ["2"]) {
      $0 ? count(LockedCounter()) : count(PlainCounter())
    },
    Program("one write without the lock", races: ["count"], wrong: ["0", "5"], right: ["0", "5"]) {
      let counter = ResettableCounter(locksToReset: $0)
      let seen = Sums()
      strands({ counter.reset() }, { seen.value = counter.value })
      return seen.value
    },
    Program(
      "lock forgotten on one path", races: ["money"],
      wrong: Set(
        outcomes(
          from: (money: 10, first: 0, second: 0, isHeld: false, isEnough: false),
          [
            // 20 is too much, and costs 1 without the lock.
            [
              { !$0.isHeld },
              {
                $0.first = $0.money
                return true
              },
              {
                $0.money = $0.first - 1
                return true
              },
            ],
            // 10 is withdrawn under the lock, if it is there.
            [
              {
                if $0.isHeld { return false }
                $0.isEnough = $0.money >= 10
                $0.isHeld = $0.isEnough
                return true
              },
              {
                $0.second = $0.money
                return true
              },
              {
                $0.money = $0.second - ($0.isEnough ? 10 : 1)
                $0.isHeld = false
                return true
              },
            ],
          ]
        ) { "\($0.money)" }.compactMap { $0 }), right: ["-1", "8"]
    ) {
      let purse = Purse(10, locksForFee: $0)
      strands({ purse.withdraw(20) }, { purse.withdraw(10) })
      return purse.balance
    },
    Program("atomic, loaded and then stored", wrong: lostUpdates, right: ["2"]) {
      $0 ? count(AddingCounter()) : count(AtomicCounter())
    },
    Program("a mutex behind get and set", wrong: lostUpdates, right: ["2"]) {
      $0 ? count(MutexCounter()) : count(PropertyCounter())
    },
  ]

  static let fields = [
    Program("two fields", races: ["checking", "savings"], wrong: tornSums, right: ["100"]) {
      $0 ? move(LockedAccounts()) : move(PlainAccounts())
    },
    Program(
      "a mark that is lost", races: ["marks"], wrong: ["1 0", "0 1", "0 0"], right: ["1 0", "0 1"]
    ) { isRight -> String in
      let marks = Marks(isLocked: isRight)
      let taken = Sums()
      strands({ marks.add(1) }, { taken.value = marks.take() })
      return "\(taken.value) \(marks.take())"
    },
    Program("two mutexes for one invariant", wrong: tornSums, right: ["100"]) {
      $0 ? move(LockedAccounts()) : move(TwiceLockedAccounts())
    },
    Program(
      "flag without a lock", races: ["value", "isReady"], wrong: ["nil", "Optional(7)"],
      right: ["nil", "Optional(7)"]
    ) { isRight -> String in
      let seen = Seen()
      if isRight {
        let result = AtomicResult()
        strands({ result.publish(7) }, { seen.value = result.current })
      } else {
        let result = PlainResult()
        strands({ result.publish(7) }, { seen.value = result.current })
      }
      return "\(seen.value as Int?)"
    },
    Program(
      "flag that orders nothing", races: ["value"], wrong: ["nil", "Optional(7)"],
      right: ["nil", "Optional(7)"]
    ) { isRight -> String in
      let seen = Seen()
      if isRight {
        let result = AtomicResult()
        strands({ result.publish(7) }, { seen.value = result.current })
      } else {
        let result = RelaxedResult()
        strands({ result.publish(7) }, { seen.value = result.current })
      }
      return "\(seen.value as Int?)"
    },
  ]

  /// What one strand saw.
  private final class Seen: @unchecked Sendable {
    var value: Int?
  }

  static let collections = [
    Program("set up twice", races: ["session"], wrong: nil, right: ["1"]) {
      let sessions = Sessions($0 ? .always : .never)
      strands({ _ = sessions.current() }, { _ = sessions.current() })
      return sessions.current().number
    },
    Program("double-checked", races: ["session"], wrong: nil, right: ["1"]) {
      let sessions = Sessions($0 ? .always : .ifNil)
      strands({ _ = sessions.current() }, { _ = sessions.current() })
      return sessions.current().number
    },
    Program("dictionary", races: ["known"], wrong: nil, right: ["3"]) {
      let lengths = Lengths(isLocked: $0)
      strands({ _ = lengths.length(of: "one") }, { _ = lengths.length(of: "two") })
      return lengths.length(of: "one")
    },
    Program("array behind a concurrent queue", races: ["photos"], wrong: nil, right: ["2"]) {
      let photos = Photos(hasBarrier: $0)
      photos.add(1)
      photos.add(2)
      return photos.finalCount
    },
    Program("a get that writes", races: ["uses"], wrong: lostUpdates, right: ["2"]) {
      let values = RecentValues(getsWithBarrier: $0)
      strands({ _ = values.get(0) }, { _ = values.get(1) })
      return values.count
    },
    Program(
      "an operation's state", races: ["state"], wrong: ["false", "true"], right: ["false", "true"]
    ) { watchUpload(isLocked: $0) },
  ]

  static let locks = [
    Program("two upgrade", wrong: [], right: ["4"], deadlocks: true) {
      let settings = Settings(upgrades: !$0)
      strands({ settings.raise() }, { settings.raise() })
      return settings.current
    },
    Program("readers write", races: ["volume"], wrong: ["2", "3"], right: ["4"]) { isRight in
      let settings = Settings(upgrades: false)
      if isRight {
        strands({ settings.raise() }, { settings.raise() })
      } else {
        strands({ settings.raiseAsReader() }, { settings.raiseAsReader() })
      }
      return settings.current
    },
    Program("a condition asked once", wrong: ["-1", "0"], right: ["0"]) {
      let letters = Letters(asksAgain: $0)
      let left = Lefts()
      strands(
        { left.first = letters.take() }, { left.second = letters.take() },
        {
          letters.put(1)
          letters.put(1)
        })
      return min(left.first, left.second)
    },
    Program("a condition waited for in time", wrong: ["false", "true"], right: ["true"]) {
      isRight in
      let letters = Letters(asksAgain: true)
      let isTaken = Flag()
      if isRight { letters.put(1) }
      strands({ isTaken.isSet = letters.takeInTime() }, { letters.put(1) })
      return isTaken.isSet
    },
  ]

  private final class Flag: @unchecked Sendable {
    var isSet = false
  }

  private final class Lefts: @unchecked Sendable {
    var first = 0
    var second = 0
  }

  static let tasks = [
    Program(
      "an object between awaits", races: ["done"], wrong: ["1", "2", "3"], right: ["3"],
      hasTasks: true
    ) { $0 ? await download(SafeProgress()) : await download(Progress()) },
    Program(
      "a mutex behind get and set, by tasks", wrong: ["1", "2"], right: ["2"], hasTasks: true
    ) { isRight in
      func count(_ counter: some Counter) async -> Int {
        async let first: Void = counter.increment()
        async let second: Void = counter.increment()
        _ = await (first, second)
        return counter.value
      }
      return isRight ? await count(MutexCounter()) : await count(PropertyCounter())
    },
    Program(
      "unsafe beside an actor", races: ["unsafeCount"], wrong: ["1", "2"], right: ["2"],
      hasTasks: true
    ) { isRight in
      let hits = Hits()
      if isRight {
        async let first: Void = hits.add()
        async let second: Void = hits.add()
        _ = await (first, second)
        return await hits.count
      }
      async let first: Void = hits.addFromWithin()
      async let second: Void = hits.addUnsafely()
      _ = await (first, second)
      return hits.unsafeCount
    },
  ]
}
