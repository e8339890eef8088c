@testable import RealPrograms
@testable import TwinPrograms

/// Programs with the real types.
typealias Real = RealPrograms.Programs

/// The same files, with the stand-ins.
typealias Twin = TwinPrograms.Programs
