import Foundation

/// What the system refused: which call, on which descriptor, why, and what to do.
struct DescriptorError: Error, Equatable, CustomStringConvertible {
  /// The name of the system's function.
  let call: String
  var descriptor: Int32?
  /// An error number of the system.
  let code: Int32
  let advice: String

  /// What a write gets that comes too late.
  static let closed = Self(call: "write", code: EBADF, advice: "it is closed; write before it is")

  var description: String {
    let place = descriptor.map { " of descriptor \($0)" } ?? ""
    return "\(call)\(place): \(String(cString: strerror(code))) (error \(code)); \(advice)"
  }
}
