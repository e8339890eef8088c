import Foundation

/// A key, or the end of the input.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, enter, escape
  /// Standard input is closed.
  case end
}

/// Takes bytes of a terminal apart into keys.
struct KeyReader {
  private var pending: [UInt8] = []

  /// - Parameter bytes: What was read at once; a key that sends several bytes sends them together.
  /// - Returns: The keys that are whole.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let key = next() { keys.append(key) }
    return keys
  }

  private mutating func next() -> Key? {
    guard let first = pending.first else { return nil }
    if pending.starts(with: [0x1B, UInt8(ascii: "[")]) {
      // A sequence ends with a letter or a tilde.
      guard let end = pending.dropFirst(2).firstIndex(where: { $0 >= 0x40 }) else {
        pending = []
        return .escape
      }
      defer { pending.removeFirst(end + 1) }
      switch pending[end] {
      case UInt8(ascii: "A"): return .up
      case UInt8(ascii: "B"): return .down
      default: return .escape
      }
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    let character = String(decoding: pending.prefix(length), as: UTF8.self).first!
    pending.removeFirst(min(length, pending.count))
    switch first {
    case 0x1B: return .escape
    case 0x0A, 0x0D: return .enter
    default: return .character(character)
    }
  }
}

/// Standard input, key by key where it is a terminal.
@MainActor
final class Keyboard {
  private let original: termios?
  private let signals: [any DispatchSourceSignal]

  init() {
    var settings = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
      original = nil
      signals = []
      return
    }
    original = settings
    let saved = settings
    Self.setKeyByKey(settings)
    // Whatever ends this program, the terminal is then as it was. Not on the main queue, which may be at work.
    signals = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { @Sendable in
        Self.set(saved)
        Terminal.showProgress(nil)
        // What was begun sees that this process has ended, and ends, too.
        _exit(128 + number)
      }
      source.resume()
      return source
    }
  }

  private nonisolated static func setKeyByKey(_ settings: termios) {
    var settings = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    set(settings)
  }

  private nonisolated static func set(_ settings: termios) {
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  func restore() {
    if let original { Self.set(original) }
  }

  /// Hands over each key, and ``Key/end`` at the end.
  func listen(_ receive: @escaping @Sendable (Key) -> Void) {
    Thread.detachNewThread {
      var reader = KeyReader()
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 {
          for key in reader.keys(bytes.prefix(count)) { receive(key) }
        } else if count == 0 || errno != EINTR {
          return receive(.end)
        }
      }
    }
  }
}
