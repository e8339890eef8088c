import Dispatch
import Foundation

/// Users as one queue sees them. A root saves to the store, and a child to its parent, one level up.
final class Context: @unchecked Sendable {
  // Sendable: what changes is used on the queue only, and `check` sees to that.
  /// A main context belongs to the main queue, and code that is there may use it without `perform`.
  enum Kind { case main, background }

  let name: String
  let coordinator: Coordinator
  let parent: Context?
  let policy: Policy
  private let kind: Kind
  private let queue: DispatchQueue
  private let isChecked: Bool

  var objects: [UserID: ManagedUser] = [:]
  /// What has changed since the last save, and since the observers were last told.
  var pending = Changes()
  var recent = Changes()
  private var observers: [@Sendable (Notice) -> Void] = []

  /// A root; with a parent, a child, whose save meets no conflict: what it has changed counts.
  ///
  /// - Parameters:
  ///   - policy: What its saves do in a conflict.
  ///   - isChecked: Whether each use on another queue ends the process.
  init(
    _ name: String, _ kind: Kind = .background, over coordinator: Coordinator,
    policy: Policy = .error, isChecked: Bool = true, parent: Context? = nil
  ) {
    self.name = name
    self.kind = kind
    self.coordinator = coordinator
    self.policy = policy
    self.isChecked = isChecked
    self.parent = parent
    queue = kind == .main ? .main : DispatchQueue(label: name)
    if kind == .main { queue.setSpecific(key: Self.mainKey, value: true) }
  }

  convenience init(_ name: String, _ kind: Kind = .background, parent: Context) {
    self.init(
      name, kind, over: parent.coordinator, isChecked: parent.isChecked, parent: parent)
  }

  // MARK: The queue

  /// Runs a body on the queue, later, and tells the observers what it has changed.
  func perform(_ body: @escaping @Sendable () -> Void) {
    queue.async { self.enter(body) }
  }

  /// Runs a body on the queue and waits for it. Code of the context may call it again.
  func performAndWait<R>(_ body: () throws -> R) rethrows -> R {
    if isEntered { return try body() }
    if isOnMain { return try enter(body) }
    return try queue.sync { try enter(body) }
  }

  private func enter<R>(_ body: () throws -> R) rethrows -> R {
    Self.entered.append(self)
    defer { Self.entered.removeLast() }
    defer { processPendingChanges() }
    return try body()
  }

  /// The contexts that this thread is in, the innermost last. A value of the queue would not do: within
  /// `b.sync` within `a.sync` it tells b only.
  private static var entered: [Context] {
    get { Thread.current.threadDictionary["contexts"] as? [Context] ?? [] }
    set { Thread.current.threadDictionary["contexts"] = newValue }
  }

  private var isEntered: Bool { Self.entered.contains { $0 === self } }
  private var isOnMain: Bool {
    // On Linux an async `main` leaves the main queue to any thread.
    kind == .main && (Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mainKey) != nil)
  }
  private static let mainKey = DispatchSpecificKey<Bool>()

  /// Ends the process if the caller is on another queue.
  func check(_ call: String = #function) {
    if isEntered || isOnMain || !isChecked { return }
    // A precondition would say nothing in an optimized build.
    fatalError("\(call) of the context “\(name)” off its queue: use perform or performAndWait")
  }

  // MARK: Observers

  /// Calls a handler with each notice, on the queue, as long as the context is there.
  func observe(_ handler: @escaping @Sendable (Notice) -> Void) {
    check()
    observers.append(handler)
  }

  func post(_ kind: Notice.Kind, _ changes: Changes) {
    for observer in observers { observer(Notice(kind: kind, changes: changes)) }
  }

  /// Tells the observers what has changed since they were last told.
  func processPendingChanges() {
    if recent.isEmpty { return }
    let changes = recent
    recent = Changes()
    post(.didChange, changes)
  }
}

/// What a context tells its observers: who, and not the objects, which stay where they are.
struct Notice: Hashable, Sendable {
  enum Kind { case didChange, willSave, didSave }

  let kind: Kind
  let changes: Changes
}
