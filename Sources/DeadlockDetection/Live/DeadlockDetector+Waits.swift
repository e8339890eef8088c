import Dispatch

extension DeadlockDetector {
  /// Draws a wait and looks for what it closes, as one step for all who wait.
  ///
  /// - Parameters:
  ///   - parties: Who cannot go on meanwhile, the one who waits first.
  ///   - participant: Who that is.
  ///   - resources: All that the wait needs, asked for under the detector's lock.
  ///   - place: Where it waits.
  ///   - refuses: Whether what is confirmed is thrown, and the wait erased, instead of being waited for.
  ///   - goesOn: Whether it is the wait that the parties had before, and more: what that is found in is no news.
  ///   - isNeeded: Whether there still is something to wait for, asked under the detector's lock.
  /// - Returns: The wait; nil if none was drawn.
  /// - Throws: ``DeadlockError`` if it refuses.
  @discardableResult
  func draw(
    _ parties: [Party], _ participant: @escaping () -> Participant,
    waitsFor resources: @autoclosure () -> [Resource], at place: Place, refuses: Bool = false,
    goesOn: Bool = false,
    ifNeeded isNeeded: () -> Bool = { true }
  ) throws(DeadlockError) -> Wait? {
    if ThreadRecord.at(ThreadRecord.key).pointee.handler != 0 { return nil }
    let wait = Wait(number: Resource.nextNumber(), parties: parties)
    var isDrawn = false
    let found: Found? = state { state in
      guard isNeeded() else { return nil }
      isDrawn = true
      let resources = resources()
      for party in parties {
        var waiter = Waiter(participant: participant, place: place, number: wait.number)
        waiter.isReported = goesOn && state.isReported(party)
        state.draw(party, waitsFor: resources, as: waiter)
      }
      let found = state.found(closedBy: parties, delays: patience > .zero)
      if refuses, found?.finding.certainty == .confirmed { state.erase(parties) }
      return found
    }
    guard let found else { return isDrawn ? wait : nil }
    tell(found, refuses: refuses)
    if refuses, found.finding.certainty == .confirmed {
      throw DeadlockError(finding: found.finding)
    }
    return wait
  }

  /// Draws the wait of a strand that is about to block its thread.
  func draw(
    _ strand: Strand, waitsFor resources: [Resource], at place: Place, refuses: Bool = false,
    ifNeeded isNeeded: () -> Bool = { true }
  ) throws(DeadlockError) -> Wait? {
    try draw(
      strand.blockedParties, strand.participantWhileBlocked, waitsFor: resources, at: place,
      refuses: refuses, ifNeeded: isNeeded)
  }

  /// Erases a wait that has ended, and no other of its parties.
  ///
  /// - Parameter wait: The wait; nil if none was drawn.
  func erase(_ wait: Wait?) {
    if let wait { state { $0.erase(wait) } }
  }

  /// Erases whatever a party waits for.
  func erase(_ party: Party) { state { $0.erase([party]) } }

  /// Erases the wait for resources that the strand has been granted, and makes it the owner, in one step.
  ///
  /// - Parameter wait: The wait; nil if none was drawn.
  func grant(_ resources: [Resource], to strand: Strand, after wait: Wait?) {
    state { state in
      for resource in resources { resource.own(strand) }
      if let wait { state.erase(wait) }
    }
  }

  /// Changes what resources keep, in a way that cannot leave anyone waiting for ever.
  func change<R>(_ body: () throws -> R) rethrows -> R { try state { _ in try body() } }

  /// Changes what a resource keeps, and looks at those who wait for it.
  ///
  /// - Parameter endsWaits: Whether all who wait for it are free then.
  func change<R>(
    _ resource: Resource, endsWaits: () -> Bool = { false }, _ body: () throws -> R
  ) rethrows -> R {
    let (result, found) = try state { state in
      let result = try body()
      if endsWaits() { state.erase(state.waiters(for: resource)) }
      return (result, state.found(for: resource, delays: patience > .zero))
    }
    for found in found { tell(found) }
    return result
  }

  /// Changes what a resource keeps so that no one is left to end the wait for it, and reports that.
  ///
  /// - Parameter body: Makes the change, and says who waits, if anyone does.
  func endlessWait(
    for resource: Resource, erases: Bool, _ body: () -> Party?
  ) -> Finding? {
    let found = state { state -> Found? in
      guard let waiter = body() else { return nil }
      let found = state.found(closedBy: [waiter], isRepeated: true)
      if erases { state.erase([waiter]) }
      return found
    }
    if let found { deliver(found.finding, refuses: erases) }
    return found?.finding
  }

  /// Reports what was found, or looks at it again later if it is suspected.
  private func tell(_ found: Found, refuses: Bool = false) {
    guard case .suspected = found.finding.certainty, patience > .zero else {
      return deliver(found.finding, refuses: refuses)
    }
    let nanoseconds = Int(patience / .nanoseconds(1))
    Self.later.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      guard let self else { return }
      let found = state { state in
        state.waiters[found.party]?.number == found.wait
          ? state.found(closedBy: [found.party]) : nil
      }
      if let found { deliver(found.finding) }
    }
  }

  /// A queue of its own, which a thread is found for even when the global ones are blocked.
  private static let later = DispatchQueue(label: "DeadlockDetector")
}

/// What the wait of a party has become part of.
struct Found {
  let finding: Finding
  let party: Party
  /// The number of the wait.
  let wait: UInt
}

extension DeadlockDetector.State {
  /// Draws the wait of a party, in place of the one before.
  mutating func draw(_ party: Party, waitsFor resources: [Resource], as waiter: Waiter) {
    erase([party])
    waiters[party] = waiter
    graph.draw(party, waitsFor: resources)
    for resource in resources { resource.waiterCount.add(1, ordering: .relaxed) }
  }

  /// Whether a party has been reported and still is in what it was reported for, or in another deadlock.
  func isReported(_ party: Party) -> Bool {
    waiters[party]?.isReported == true
      && graph.knot(closedBy: party, demands: { $0.demands }) != nil
  }

  mutating func erase(_ wait: Wait) {
    erase(wait.parties.filter { waiters[$0]?.number == wait.number })
  }

  mutating func erase(_ parties: [Party]) {
    for party in parties {
      waiters[party] = nil
      // The last to know it, perhaps; its end takes the lock that is held here.
      guard let resources = graph.erase(party) else { continue }
      for resource in resources { resource.waiterCount.subtract(1, ordering: .relaxed) }
      released += resources
    }
  }

  func waiters(for resource: Resource) -> [Party] {
    if resource.waiterCount.load(ordering: .relaxed) == 0 { return [] }
    return waiters.keys.filter { graph[$0]?.contains { $0 === resource } == true }
  }

  /// What the waits for a resource have become part of.
  mutating func found(for resource: Resource, delays: Bool) -> [Found] {
    waiters(for: resource).compactMap { found(closedBy: [$0], delays: delays) }
  }

  /// What a wait has become part of, if that has not been found before.
  ///
  /// - Parameters:
  ///   - parties: Those who wait.
  ///   - delays: Whether what is suspected will be looked at again.
  ///   - isRepeated: Whether it is told even if it has been found before.
  mutating func found(
    closedBy parties: [Party], delays: Bool = false, isRepeated: Bool = false
  ) -> Found? {
    for party in parties {
      guard let knot = graph.knot(closedBy: party, demands: { $0.demands }) else { continue }
      let members = knot.links.map(\.party)
      guard isRepeated || members.contains(where: { waiters[$0]?.isReported == false }) else {
        continue
      }
      if !knot.doubts.isEmpty {
        let first = knot.links[0].resource
        let isAlone = knot.links.allSatisfy { $0.resource === first }
        if isAlone, !first.isSuspectAlone { continue }
      }
      if delays, !knot.doubts.isEmpty {
        if waiters[party]!.isPutOff { continue }
        waiters[party]!.isPutOff = true
      } else {
        setReported(members)
      }
      return Found(finding: finding(knot), party: party, wait: waiters[party]!.number)
    }
    return nil
  }

  private func finding(_ knot: WaitForGraph<Party, Resource>.Knot) -> Finding {
    let members = knot.links.compactMap { link -> Finding.Member? in
      guard let waiter = waiters[link.party] else { return nil }
      // What it holds is what another waits for.
      let holding = knot.links.first { $0.enders.contains(link.party) }
      return Finding.Member(
        participant: waiter.participant(), resource: link.resource.name, place: waiter.place,
        holds: holding.map { ($0.resource.name, $0.resource.place(takenBy: link.party)) })
    }
    return Finding(
      kind: knot.links.contains { $0.enders.isEmpty } ? .endlessWait : .deadlock,
      certainty: knot.doubts.isEmpty
        ? .confirmed : .suspected(reason: knot.doubts.joined(separator: "; ")),
      members: members)
  }

  private mutating func setReported(_ parties: [Party]) {
    let numbers = Set(parties.compactMap { waiters[$0]?.number })
    for (party, waiter) in waiters where numbers.contains(waiter.number) {
      waiters[party]!.isReported = true
    }
  }
}
