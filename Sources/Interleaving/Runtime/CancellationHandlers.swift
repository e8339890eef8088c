import CInterleaving

#if canImport(Glibc)
  // Stands before the function of the standard library, in every module of the program: a handler is set and dropped
  // without a lock that is seen, and another task may cancel this one before or after.
  @usableFromInline
  @_silgen_name(
    "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF")
  func runWithCancellationHandler<T>(
    operation: () async throws -> T, onCancel handler: @Sendable () -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) async rethrows -> T {
    let record = addCancellationHandler(handler)
    defer { removeCancellationHandler(record) }
    return try await operation()
  }

  @_silgen_name("interleaving_add_handler")
  private func addCancellationHandler(_ handler: () -> Void) -> UnsafeRawPointer

  @_silgen_name("interleaving_remove_handler")
  private func removeCancellationHandler(_ record: UnsafeRawPointer)
#endif
