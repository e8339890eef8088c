/// What becomes of a failure to make what is made once.
enum AfterFailure: Sendable {
  /// All callers get it, for ever.
  case keep
  /// The callers that waited get it, and the next one tries again.
  case tryAgain
}
