import CInterleaving

// Atomics and locks that no stand-in stands for: what they are, in every execution, though their addresses differ.

extension Execution {
  /// An atomic or a lock of the scenario's code.
  func object(at address: UnsafeRawPointer, _ kind: RealOperation.Kind) -> ObjectID {
    if let known = objects.real[address] {
      objects.name(known, kind: kind.rawValue, label: nil)
      return known
    }
    let address = UInt(bitPattern: address)
    let whole = interleaving_find_object(races.watch, address)
    let isPart = whole.address != 0
    let id =
      isPart
      ? objects.object(
        partOf: StrandID(Int(whole.strand)), place: Place(whole.place), Int(whole.ordinal),
        offset: Int(address - whole.address))
      : objects.object(at: address)
    guard !objects.isNamed(id) else { return id }
    let variable = kind == .lock ? nil : Variable(at: address, in: whole)
    objects.name(id, kind: kind.rawValue, label: variable?.type == nil ? nil : variable?.name)
    return id
  }
}

extension RealOperation {
  /// The state of what it is done to at the beginning.
  var initialState: ObjectState {
    switch kind {
    case .atomic: .variable
    case .mutex, .lock: .lock(isHeld: false)
    case .readersWriter: .sharedLock(readers: [], writer: nil)
    case .condition: .condition(Waiters())
    }
  }
}
