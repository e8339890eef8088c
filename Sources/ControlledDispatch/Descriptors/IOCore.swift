import Foundation
import Interleaving

/// What a channel is in one execution.
final class IOState {
  final class Operation {
    enum Kind: Equatable {
      /// So many bytes are to be read, and these are to be written.
      case read(Int)
      case write([UInt8])
      case barrier

      var direction: Direction? {
        switch self {
        case .read: .reading
        case .write: .writing
        case .barrier: nil
        }
      }
    }

    let kind: Kind
    /// How much is done, and what was read of that and not told of.
    var done = 0
    var bytes: [UInt8] = []
    var isBegun = false

    init(_ kind: Kind) { self.kind = kind }
  }

  /// Whom an operation tells, or what a barrier runs: code of the program's own. Kept apart from the operations, since to let
  /// go of it may be a step, in the midst of which these must not be changed.
  enum Call {
    case handler(DispatchIO.Handler, DispatchQueue)
    case block(@Sendable () -> Void)
  }

  private var calls: [ObjectIdentifier: Call] = [:]
  /// Those that are not done, in the order in which they were begun.
  var operations: [Operation] = []
  var low = Int.max
  var high = Int.max
  var isClosed = false
  var isStopped = false
  /// Whether the cleanup handler is to be called, or was.
  var isOver = false
  /// What whoever waits for the descriptor waits at.
  var gates: [ObjectID] = []

  func call(of operation: Operation) -> Call? { calls[ObjectIdentifier(operation)] }

  func add(_ operation: Operation, _ call: Call) {
    operations.append(operation)
    calls[ObjectIdentifier(operation)] = call
  }

  func remove(_ operation: Operation) { operations.removeAll { $0 === operation } }

  /// Takes whom an operation tells for the last time.
  func takeCall(of operation: Operation) -> Call? {
    calls.removeValue(forKey: ObjectIdentifier(operation))
  }

  /// Takes what can be done now and was not begun.
  func takeReady() -> [Operation] {
    var ready: [Operation] = []
    for (index, operation) in operations.enumerated() where !operation.isBegun {
      let isFree = operations[..<index].allSatisfy {
        $0.kind != .barrier && operation.kind != .barrier
          && $0.kind.direction != operation.kind.direction
      }
      guard isFree else { continue }
      operation.isBegun = true
      ready.append(operation)
    }
    return ready
  }
}

/// What a channel does, on the strands of others and on its own.
final class IOCore: Sendable {
  let descriptor: Int32
  private let object = ControlledObject("DispatchIO")
  private let state = PerExecution<IOState> { IOState() }
  private let queue: DispatchQueue
  private let cleanupHandler: @Sendable (Int32) -> Void

  init(
    _ descriptor: Int32, _ queue: DispatchQueue,
    _ cleanupHandler: @escaping @Sendable (Int32) -> Void
  ) {
    self.descriptor = descriptor
    self.queue = queue
    self.cleanupHandler = cleanupHandler
  }

  private var control: Control { object.control }

  /// Changes the state in one step, and does what follows.
  func act(_ verb: @autoclosure () -> String, _ change: (IOState) -> Void) {
    let state = state(control)
    object.perform(.update, verb())
    change(state)
    follow(state)
  }

  func add(_ kind: IOState.Operation.Kind, _ call: IOState.Call) {
    var isTooLate = false
    let operation = IOState.Operation(kind)
    act("begins an operation of") { state in
      isTooLate = state.isClosed
      if !isTooLate, kind != .read(0) { state.add(operation, call) }
    }
    if isTooLate { return tell(call, true, nil, ECANCELED) }
    if kind == .read(0) { tell(call, true, [], 0) }
  }

  /// - Parameter isStopping: Whether operations under way end at once.
  func close(stops isStopping: Bool) {
    guard Control.current.map({ $0.strand != .outside }) == true else { return }
    act(isStopping ? "stops" : "closes") { state in
      state.isClosed = true
      guard isStopping else { return }
      state.isStopped = true
      for gate in state.gates { control.goOn(with: Waitable.use(.open, of: gate)) }
      state.gates = []
    }
  }

  /// Begins what can be done now, in the step under way; at the end the cleanup handler is called.
  private func follow(_ state: IOState) {
    for operation in state.takeReady() {
      control.begin(when: VisibleOperation([object.use(.update)]), "Dispatch") { [self] _ in
        operation.kind == .barrier ? runBarrier(operation) : attempt(operation)
      }
    }
    guard state.isClosed, state.operations.isEmpty, !state.isOver else { return }
    state.isOver = true
    queue.async { [cleanupHandler] in cleanupHandler(0) }
  }

  private func runBarrier(_ operation: IOState.Operation) {
    if case .block(let block) = state(control).takeCall(of: operation) { block() }
    act("ends an operation of") { $0.remove(operation) }
  }

  // MARK: Bytes

  /// Reads or writes as much as there is, and waits for more in a strand that has yet to begin.
  private func attempt(_ operation: IOState.Operation) {
    let control = control
    let (state, kernel) = (state(control), KernelState.current(object.kind))
    guard let direction = operation.kind.direction,
      let file = kernel.file(at: descriptor, for: direction.rawValue), file.goes(direction)
    else { return end(operation, EBADF) }
    while true {
      control.perform(
        VisibleOperation([file.use(.load), object.use(.update)] + file.uses(direction, kernel)))
      guard !state.isStopped else { return end(operation, ECANCELED) }
      switch transfer(operation, file, state, kernel) {
      case .bytes(let bytes) where bytes.isEmpty:
        // What is left comes by itself, and behind it the end.
        if !operation.bytes.isEmpty { tell(of: operation, state) }
        return end(operation, 0)
      case .bytes(let bytes):
        control.note("reads \(bytes.count) from \(file.name)")
        operation.done += bytes.count
        operation.bytes += bytes
        if operation.isDone { return end(operation, 0) }
        if operation.bytes.count >= min(state.low, state.high) {
          tell(of: operation, state)
        }
      case .count(let count):
        control.note("writes \(count) to \(file.name)")
        operation.done += count
        if operation.isDone { return end(operation, 0) }
      case .failed(let code): return end(operation, code)
      case .brokenPipe:
        _ = SignalTable.current(object.kind).send(SIGPIPE)
        return end(operation, EPIPE)
      case .nothing: return wait(for: file.waitable(direction)!, file, direction, operation, state)
      }
    }
  }

  private func transfer(
    _ operation: IOState.Operation, _ file: OpenFile, _ state: IOState, _ kernel: KernelState
  ) -> Transfer {
    switch operation.kind {
    case .read(let length):
      guard length > operation.done else { return .bytes([]) }
      let most = min(length - operation.done, max(1, state.high - operation.bytes.count))
      return file.read(upTo: most, kernel) { kernel.choose(upTo: $0) }
    case .write(let bytes):
      return bytes[operation.done...].withUnsafeBytes {
        file.write($0, kernel) { kernel.choose(upTo: $0) }
      }
    case .barrier: return .nothing
    }
  }

  /// Goes on when there is more. Part of a step that has declared that it changes what it waits for.
  private func wait(
    for waitable: Waitable, _ file: OpenFile, _ direction: Direction,
    _ operation: IOState.Operation, _ state: IOState
  ) {
    let gate = control.makeObject()
    waitable.tell(Waiter(gate: gate, file: file, direction: direction))
    state.gates.append(gate)
    let operations = VisibleOperation([Waitable.use(.goThrough, of: gate), object.use(.update)])
    control.begin(when: operations, "Dispatch") { [self] _ in
      state.gates.removeAll { $0 == gate }
      attempt(operation)
    }
  }

  /// The operation is done, or failed.
  private func end(_ operation: IOState.Operation, _ error: Int32) {
    let state = state(control)
    let data: [UInt8]? =
      switch operation.kind {
      case .read: error == 0 ? operation.takeBytes() : nil
      case .write(let bytes):
        error == 0 || error == ECANCELED ? nil : Array(bytes[operation.done...])
      case .barrier: nil
      }
    guard case .handler(let handler, let queue) = state.takeCall(of: operation) else { return }
    control.perform(
      VisibleOperation([object.use(.update), queue.useOfSubmitting([])]),
      "ends an operation of \(object.name)")
    queue.put([], told(handler, true, data, error))
    state.remove(operation)
    follow(state)
  }

  /// Tells of what was read.
  private func tell(of operation: IOState.Operation, _ state: IOState) {
    if let call = state.call(of: operation) { tell(call, false, operation.takeBytes(), 0) }
  }

  private func tell(_ call: IOState.Call, _ done: Bool, _ bytes: [UInt8]?, _ error: Int32) {
    guard case .handler(let handler, let queue) = call else { return }
    queue.async(execute: told(handler, done, bytes, error))
  }

  private func told(
    _ handler: @escaping DispatchIO.Handler, _ done: Bool, _ bytes: [UInt8]?, _ error: Int32
  ) -> @Sendable () -> Void {
    // Sendable: nobody changes it.
    nonisolated(unsafe) let data = bytes.map { bytes in
      bytes.withUnsafeBytes { DispatchData(bytes: $0) }
    }
    return { handler(done, data, error) }
  }
}

extension IOState.Operation {
  fileprivate func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  fileprivate var isDone: Bool {
    switch kind {
    case .read(let length): done == length
    case .write(let bytes): done == bytes.count
    case .barrier: false
    }
  }
}
