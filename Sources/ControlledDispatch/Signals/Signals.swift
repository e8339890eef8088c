import Foundation
import Interleaving

// Calls that send signals and say what is done with them, each the stand-in of the system's of its name.

extension Kernel {
  /// What a signal calls.
  public typealias SignalHandler = @convention(c) (Int32) -> Void

  /// Sends a signal to the process itself, or to one that it has begun: the stand-in of the system's call.
  ///
  /// What is done with it by default ends the process, or nothing; a function is called at once. A source is told by
  /// Dispatch, which comes to it later; equal signals that wait for that are one.
  @discardableResult
  public static func kill(_ process: pid_t, _ number: Int32) -> Int32 {
    guard process == getpid() else {
      return ProcessTable.current("kill").send(number, to: process)
    }
    return SignalTable.current("kill").send(number)
  }

  /// Says what is done with a signal: the stand-in of the system's call.
  ///
  /// - Returns: What was done with it before, or `SIG_ERR`.
  @discardableResult
  public static func signal(_ number: Int32, _ handler: SignalHandler!) -> SignalHandler! {
    let signals = SignalTable.current("signal")
    guard let old = signals.setHandler(of: number, to: unsafeBitCast(handler, to: Int.self)) else {
      return unsafeBitCast(-1, to: SignalHandler?.self)
    }
    return unsafeBitCast(old, to: SignalHandler?.self)
  }

  /// Says what is done with a signal, or asks for that: the stand-in of the system's call. Of an action, only its handler
  /// counts.
  @discardableResult
  public static func sigaction(
    _ number: Int32, _ new: UnsafePointer<Foundation.sigaction>?,
    _ old: UnsafeMutablePointer<Foundation.sigaction>?
  ) -> Int32 {
    let signals = SignalTable.current("sigaction")
    let before: Int?
    if let new {
      before = signals.setHandler(of: number, to: new.pointee.bits)
    } else {
      before = signals.handler(of: number)
    }
    guard let before else { return -1 }
    old?.pointee.bits = before
    return 0
  }
}

extension Foundation.sigaction {
  /// The handler, or a number that stands for one.
  fileprivate var bits: Int {
    get {
      #if canImport(Darwin)
        unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)  // untested
      #else
        unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
      #endif
    }
    set {
      #if canImport(Darwin)
        __sigaction_u.__sa_handler = unsafeBitCast(newValue, to: Kernel.SignalHandler?.self)
      #else
        __sigaction_handler.sa_handler = unsafeBitCast(newValue, to: sig_t?.self)
      #endif
    }
  }
}
