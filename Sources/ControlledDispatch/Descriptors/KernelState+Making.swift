import Foundation
import Interleaving

// What calls have in common that make descriptors.

extension KernelState {
  /// Says that a call fails.
  ///
  /// - Parameter call: What a trace says of it, unless it has said so.
  /// - Returns: -1, with `errno` set.
  func fail(_ code: Int32, _ call: String? = nil) -> Int32 {
    control.note("\(call.map { $0 + " " } ?? "")fails: \(String(cString: strerror(code)))")
    lastErrors[control.strand] = code
    return -1
  }

  /// Gives an open file a number.
  func give(_ file: OpenFile, from least: Int32 = first, _ call: String) -> Int32 {
    add([file], from: least, call)?.first ?? fail(EMFILE)
  }

  /// Gives open files numbers.
  func give(_ files: [OpenFile], to numbers: UnsafeMutablePointer<Int32>, _ call: String) -> Int32 {
    guard let given = add(files, call) else { return fail(EMFILE) }
    for (index, number) in given.enumerated() { numbers[index] = number }
    return 0
  }

  /// What flows between two sockets, each way.
  func makeChannels() -> (there: Channel, back: Channel) {
    let size = bufferSize ?? 180_224
    return (Channel(size: size, control), Channel(size: size, control))
  }

  /// What something is called in a trace: its kind, with a number from the second on.
  func name(of kind: String, _ waitable: Waitable) -> String {
    control.name(waitable.object, kind: kind)
    return control.name(of: waitable.object)
  }
}
