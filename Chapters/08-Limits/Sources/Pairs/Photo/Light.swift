import Foundation

/// How many bytes of photos have which brightness, in 16 steps from dark to bright.
struct Light: Equatable, Sendable {
  private(set) var counts = [Int](repeating: 0, count: 16)

  mutating func add(_ row: ArraySlice<UInt8>) {
    for byte in row { counts[Int(byte >> 4)] += 1 }
  }

  mutating func add(_ other: Light) {
    for step in counts.indices { counts[step] += other.counts[step] }
  }
}

/// The light of all photos of an import, which all its units count together.
// Sendable because `light` is used under the lock only.
final class SharedLight: @unchecked Sendable {
  private let lock = NSLock()
  private var light = Light()

  func add(_ row: ArraySlice<UInt8>) { lock.withLock { light.add(row) } }

  var total: Light { lock.withLock { light } }
}
