import Workbook
import XCTest

@testable import Callbacks

/// What a suite of XCTest looks like while its code is ported: expectations beside `async` tests.
final class OldTests: XCTestCase {
  func testCallbackIsAwaitedByAnExpectation() {
    let store = CalledBack.PersonStore(known: .nobody, service: Desk())
    let isThere = expectation(description: "a person")
    _ = store.person(1) { result in
      XCTAssertEqual(told(result), "Ada")
      isThere.fulfill()
    }
    wait(for: [isThere], timeout: 600)
  }

  func testAsyncFunctionIsAwaited() async throws {
    let store = Async.PersonStore(known: .nobody, service: Desk())
    let person = try await store.person(1)
    XCTAssertEqual(person, .ada)
  }

  func testOldCallerOfAnAsyncFunction() async {
    let store = Async.PersonStore(known: .nobody, service: Desk())
    let isThere = expectation(description: "a person")
    _ = store.person(2) { result in
      XCTAssertEqual(told(result), "Bo")
      isThere.fulfill()
    }
    await fulfillment(of: [isThere], timeout: 600)
  }
}
