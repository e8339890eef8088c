import ControlledDispatch

/// One thread fulfils a promise, and another asks for it.
///
/// - Returns: What it was called back with.
public func keepPromise(isRight: Bool) -> [Int] {
  let received = Journal<Int>()
  if isRight {
    let promise = Right.Promise<Int>()
    strands({ promise.fulfil(7) }, { promise.then(received.add) })
  } else {
    let promise = Wrong.Promise<Int>()
    strands({ promise.fulfil(7) }, { promise.then(received.add) })
  }
  return received.all
}

/// Two threads come within the interval.
///
/// - Returns: How often it was done.
public func throttleTwoCalls(isRight: Bool) -> Int {
  let runs = Journal<String>()
  let throttler = (right: Right.Throttler(interval: 10), wrong: Wrong.Throttler(interval: 10))
  let call: @Sendable () -> Void = {
    isRight
      ? throttler.right.run { runs.add("save") } : throttler.wrong.run { runs.add("save") }
  }
  strands(call, call)
  return runs.all.count
}

/// Two threads look up a host.
///
/// - Returns: The hits that were counted.
public func lookUpHost(isRight: Bool) -> Int {
  let table = (right: Right.HostTable(), wrong: Wrong.HostTable())
  let look: @Sendable () -> Void = {
    _ = isRight ? table.right.address(of: "localhost") : table.wrong.address(of: "localhost")
  }
  strands(look, look)
  return isRight ? table.right.hitCount : table.wrong.hitCount
}

/// Two threads want the same value of a cache for two, and then another is wanted.
///
/// - Returns: How many values the cache holds.
public func fillCache(isRight: Bool) -> Int {
  if isRight {
    let cache = Right.LRUCache<String, Int>(capacity: 2)
    strands({ _ = cache.value(for: "a") { 1 } }, { _ = cache.value(for: "a") { 1 } })
    _ = cache.value(for: "b") { 2 }
    return cache.count
  }
  let cache = Wrong.LRUCache<String, Int>(capacity: 2)
  strands({ _ = cache.value(for: "a") { 1 } }, { _ = cache.value(for: "a") { 1 } })
  _ = cache.value(for: "b") { 2 }
  return cache.count
}

/// An event is posted to a subscriber that wants one only, and to one that wants all, while another thread takes the
/// first off the list.
///
/// - Returns: Who was told.
public func postEvent(isRight: Bool) -> [String] {
  let told = Journal<String>()
  let first = Journal<Int>()
  if isRight {
    let bus = Right.EventBus()
    first.add(
      bus.subscribe { _ in
        told.add("once")
        bus.unsubscribe(first.all[0])
      })
    _ = bus.subscribe { _ in told.add("always") }
    strands({ bus.post("saved") }, { bus.unsubscribe(first.all[0]) })
  } else {
    let bus = Wrong.EventBus()
    first.add(
      bus.subscribe { _ in
        told.add("once")
        bus.unsubscribe(first.all[0])
      })
    _ = bus.subscribe { _ in told.add("always") }
    strands({ bus.post("saved") }, { bus.unsubscribe(first.all[0]) })
  }
  return told.all
}
