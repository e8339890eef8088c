import Foundation

/// Opens a file, with flags such as O_RDONLY.
///
/// - Returns: Its descriptor, which no child inherits.
/// - Throws: ``DescriptorError``; nothing is open then.
func openFile(_ path: String, _ flags: Int32) throws(DescriptorError) -> Int32 {
  while true {
    let descriptor = open(path, flags | O_CLOEXEC, 0o644)
    if descriptor != -1 { return descriptor }
    let code = errno
    guard code == EINTR else {
      throw DescriptorError(call: "open", code: code, advice: "the path is \(path)")
    }
  }
}
