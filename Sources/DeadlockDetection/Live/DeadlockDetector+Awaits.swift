extension DeadlockDetector {
  /// Reports that a strand awaits something while it holds locks.
  func checkHeldAcrossAwait(_ strand: Strand, awaiting resource: Resource, at place: Place) {
    if strand.record.pointee.count == 0 { return }
    for held in Strays.held(by: strand.record) where held.task == strand.task {
      reportHeldAcrossAwait(
        held.resource, takenAt: held.place, by: strand, at: place, awaiting: resource.name)
    }
  }

  /// Reports, once for each place, that a task was suspended while it held a lock.
  func reportHeldAcrossAwait(
    _ resource: Resource, takenAt taken: Place, by strand: Strand, at place: Place,
    awaiting: String?
  ) {
    guard isFirst(.lockHeldAcrossAwait, at: taken) else { return }
    let member = Finding.Member(
      participant: strand.participant, resource: awaiting ?? "something, and went on elsewhere",
      place: place, holds: (resource.name, taken))
    deliver(Finding(kind: .lockHeldAcrossAwait, certainty: .confirmed, members: [member]))
  }

  /// Reports, once for each place, that a thread of the cooperative pool is about to block.
  func checkPool(_ strand: Strand, waitsFor resource: Resource, at place: Place) {
    guard strand.isOnCooperativePool, isFirst(.blockedPool, at: place) else { return }
    let member = Finding.Member(
      participant: strand.participant, resource: resource.name, place: place, holds: nil)
    deliver(Finding(kind: .blockedPool, certainty: .confirmed, members: [member]))
  }

  private func isFirst(_ kind: Finding.Kind, at place: Place) -> Bool {
    state { $0.reportedPlaces[kind, default: []].insert(place).inserted }
  }
}
