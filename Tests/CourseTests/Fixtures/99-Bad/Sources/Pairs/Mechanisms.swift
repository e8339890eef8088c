/// An `NSLock`.
enum Locked {}

// MARK: What goes wrong

/// Two `NSLock`s.
enum LockedTwice {}
