import CInterleaving

// Atomics and locks that no stand-in stands for: what they are, in every execution, though their addresses differ.

extension Execution {
  /// An atomic or a lock of the scenario's code.
  func object(at address: UnsafeRawPointer, _ kind: RealOperation.Kind) -> ObjectID {
    if let known = objects.real[address] {
      objects.name(known, kind: kind.rawValue, label: nil)
      return known
    }
    let (id, whole) = identify(address)
    guard !objects.isNamed(id) else { return id }
    let variable = kind == .lock ? nil : Variable(at: UInt(bitPattern: address), in: whole)
    objects.name(id, kind: kind.rawValue, label: variable?.type == nil ? nil : variable?.name)
    return id
  }

  /// What is at an address, in every execution, and what object that is part of.
  func identify(_ address: UnsafeRawPointer) -> (ObjectID, whole: interleaving_object) {
    let address = UInt(bitPattern: address)
    let whole = interleaving_find_object(races.watch, address)
    guard whole.address != 0 else { return (objects.object(at: address), whole) }
    let id = objects.object(
      partOf: StrandID(Int(whole.strand)), place: Place(whole.place), Int(whole.ordinal),
      offset: Int(address - whole.address))
    return (id, whole)
  }
}

extension Execution {
  /// An object whose references are noted, by its number, and what its type is called.
  func life(_ number: UInt) -> (ObjectID, type: String?) {
    let life = interleaving_get_life(races.watch, Int32(number) - 1)
    let id = objects.object(
      partOf: StrandID(Int(life.maker)), place: Place(life.place), Int(life.ordinal), offset: -8)
    // Of a class; what the compiler makes for itself, such as a closure's captures, has no name.
    guard let metadata = UnsafeRawPointer(bitPattern: life.metadata),
      metadata.load(as: UInt.self) == 0
    else { return (id, nil) }
    return (id, "\(unsafeBitCast(metadata, to: Any.Type.self))")
  }
}

extension RealOperation {
  /// The state of what it is done to at the beginning.
  var initialState: ObjectState {
    switch kind {
    case .atomic, .task, .clock, .life, .file: .variable
    case .mutex, .lock, .libraryLock: .lock(isHeld: false)
    case .readersWriter: .sharedLock(readers: [], writer: nil)
    case .condition: .condition(Waiters())
    }
  }
}
