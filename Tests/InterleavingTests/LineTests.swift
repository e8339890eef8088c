import CInterleaving
import Testing

@testable import Interleaving

#if os(Linux)
  /// Lines of the program's code, as they are found here and by the toolchain.
  @Suite(.enabled(if: SwiftRuntime.findsLines), .timeLimit(.minutes(30))) struct LineTests {
    @Test func `a line is the one that the toolchain finds`() {
      SwiftRuntime.takeHold()
      let own = interleaving_place(Self.address)
      var found = 0
      for step in 0..<UInt(24) {
        let place = own + step * 997
        let site = SwiftRuntime.site(at: place)
        if site != nil { found += 1 }
        #expect(
          site == TaskReference.symbolicatedSite(of: interleaving_address(place)), "\(place)")
      }
      #expect(found > 6)
    }

    @Test func `what is not of the program has no line`() {
      #expect(SwiftRuntime.site(at: 0) == nil)
      #expect(SwiftRuntime.site(at: .max) == nil)
    }

    /// The address of some function of this module.
    private static var address: UInt {
      let function: @convention(c) () -> Void = {}
      return unsafeBitCast(function, to: UInt.self)
    }
  }
#endif
