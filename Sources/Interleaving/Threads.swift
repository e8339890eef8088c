#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Starts a thread that ends after the body.
///
/// - Parameters:
///   - isDetached: Whether nobody will join it.
///   - body: What it does.
/// - Returns: The thread.
@discardableResult
func startThread(isDetached: Bool = true, _ body: @escaping @Sendable () -> Void) -> pthread_t {
  final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setdetachstate(
    &attributes, Int32(isDetached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE))
  defer { pthread_attr_destroy(&attributes) }
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  // The thread takes over the reference to its body.
  let argument = Unmanaged.passRetained(Body(body)).toOpaque()
  let status = pthread_create(
    &thread, &attributes,
    { argument in
      #if canImport(Darwin)
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
      #else
        let body = Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue()
      #endif
      body.run()
      return nil
    }, argument)
  precondition(status == 0, "no thread could be made for an exploration: error \(status)")
  #if canImport(Darwin)
    return thread!
  #else
    return thread
  #endif
}
