extension DeadlockDetector {
  /// The number of a lock class.
  func orderClass(_ name: String) -> UInt {
    state { state in
      if let known = state.classes[name] { return known }
      // Those beyond the limit share one: what comes of that is told apart by nobody, so nothing does.
      guard state.classes.count < state.classLimit else {
        state.omittedClasses += 1
        return 0
      }
      let number = Resource.nextNumber()
      state.classes[name] = number
      return number
    }
  }

  /// Notes in which order the strand has taken what it holds last.
  @inline(never) func noteOrder(_ strand: Strand) {
    if strand.record.pointee.handler != 0 { return }
    let run = strand.run
    if strand.record.pointee.isNoted(run: run) { return }
    let held = Strays.held(by: strand.record).filter {
      $0.task == strand.task && $0.resource.detector === self && $0.resource.orderClass != 0
    }
    guard held.count > 1 else { return }
    let findings = state { state in
      for (resource, _, _) in held where !resource.isOrdered {
        resource.isOrdered = true
        state.names[resource.number] = resource.name
      }
      let takings = held.map {
        LockOrder.Taking(lock: $0.resource.number, class: $0.resource.orderClass, place: $0.place)
      }
      let (cycles, isSaturated) = state.order.note(
        takings.last!, by: run, as: strand.knownParticipant, holding: takings.dropLast())
      strand.record.pointee.setNoted(run: isSaturated ? nil : run)
      return cycles.map { state.inversion($0) }
    }
    for finding in findings { deliver(finding) }
  }

  /// Forgets a resource that is being freed.
  func forget(_ resource: Resource) {
    state { state in
      state.order.forget(resource.number)
      state.names[resource.number] = nil
    }
  }
}

extension DeadlockDetector.State {
  func inversion(_ cycle: [LockOrder.Nesting]) -> Finding {
    Finding(
      kind: .lockOrderInversion, certainty: .potential,
      members: cycle.map { nesting in
        Finding.Member(
          participant: nesting.participant, resource: name(of: nesting.taken),
          place: nesting.taken.place,
          holds: (name(of: nesting.held), nesting.held.place))
      })
  }

  private func name(of taking: LockOrder.Taking) -> String {
    names[taking.lock] ?? "a lock of class \(classes.first { $0.value == taking.class }?.key ?? "")"
  }
}
