import Interleaving
import Testing

@testable import ControlledDispatch
@testable import RealPrograms
@testable import TwinPrograms

/// What Foundation asks operations and what they keep, each with the real types and with the stand-ins.
@Suite(.timeLimit(.minutes(30))) struct OperationMemberTests {
  enum Program: String, CaseIterable {
    case waitsUntilReady, cancelledAndNotReady, readyWithoutSuper, endsLate, endsTwice
    case underlying, properties

    var real: @Sendable () -> [String] {
      switch self {
      case .waitsUntilReady: Real.waitsUntilReady
      case .cancelledAndNotReady: Real.cancelledAndNotReady
      case .readyWithoutSuper: Real.readyWithoutSuper
      case .endsLate: Real.endsLate
      case .endsTwice: Real.endsTwice
      case .underlying: Real.underlying
      case .properties: Real.properties
      }
    }

    var twin: @Sendable () -> [String] {
      switch self {
      case .waitsUntilReady: Twin.waitsUntilReady
      case .cancelledAndNotReady: Twin.cancelledAndNotReady
      case .readyWithoutSuper: Twin.readyWithoutSuper
      case .endsLate: Twin.endsLate
      case .endsTwice: Twin.endsTwice
      case .underlying: Twin.underlying
      case .properties: Twin.properties
      }
    }
  }

  @Test(arguments: Program.allCases)
  func `the stand-in says what the real one says`(_ program: Program) async {
    let exploration = await explore(reduced) { program.twin() }
    #expect(Set(exploration.outcomes.keys) == [program.real()], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }
}
