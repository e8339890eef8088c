import Foundation

/// Users as bytes: a mark, a length, a sum over the rest, and the rest as JSON.
enum StoreFormat {
  enum Damage: String, Error {
    case empty = "it is empty"
    case foreign = "it is no file of users"
    case short = "it ends too early"
    case wrongSum = "its sum is another one"
  }

  private struct Entry: Codable {
    let id: UserID
    let user: User
  }

  private static let mark = Array("users-1\n".utf8)
  private static let headSize = mark.count + 16

  static func bytes(of users: [UserID: User]) throws -> [UInt8] {
    let entries = users.sorted { $0.key < $1.key }.map { Entry(id: $0.key, user: $0.value) }
    let body = [UInt8](try JSONEncoder().encode(entries))
    return mark + bigEndian(UInt64(body.count)) + bigEndian(sum(of: body[...])) + body
  }

  /// - Throws: ``Damage``.
  static func users(in bytes: [UInt8]) throws -> [UserID: User] {
    if bytes.isEmpty { throw Damage.empty }
    if !bytes.starts(with: mark.prefix(bytes.count)) { throw Damage.foreign }
    if bytes.count < headSize { throw Damage.short }
    let body = bytes[headSize...]
    if body.count < number(bytes[8..<16]) { throw Damage.short }
    if sum(of: body) != number(bytes[16..<24]) { throw Damage.wrongSum }
    guard let entries = try? JSONDecoder().decode([Entry].self, from: Data(body)) else {
      throw Damage.foreign
    }
    return Dictionary(entries.map { ($0.id, $0.user) }, uniquingKeysWith: { $1 })
  }

  /// FNV-1a of 64 bits: it finds accidents, and no forgery.
  private static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
