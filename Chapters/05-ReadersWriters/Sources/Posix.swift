// What POSIX guards is not explored: the explorer has no stand-in for its lock. It is held to the same contract.

extension Posix.PhotoManager: ManagingObjects {}
