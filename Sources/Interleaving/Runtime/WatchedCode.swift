import CInterleaving

/// Which of the scenario's code is instrumented, as far as its calls tell.
struct WatchedCode {
  /// Whether any is: a copy of another module's function, which the linker may have taken from an instrumented module,
  /// is none of it.
  let isMet: Bool
  /// The modules whose functions have called instrumented ones, and are not.
  let unwatchedModules: [String]

  init(_ watch: OpaquePointer) {
    var callers: Set<String> = []
    var functions: Set<String> = []
    for index in 0..<interleaving_count_met_calls(watch) {
      let call = interleaving_get_met_call(watch, index)
      let function = Self.function(at: call.function)
      if let function { functions.insert(function) }
      // A merged function is called in its own module only, often by thunks: these are never instrumented.
      if function?.hasSuffix("Tm") != true, let caller = Self.function(at: call.caller) {
        callers.insert(caller)
      }
    }
    isMet = !Set(functions.compactMap(Self.module)).isSubset(of: Self.own)
    unwatchedModules = Set(callers.subtracting(functions).compactMap(Self.module))
      .subtracting(Self.own).sorted()
  }

  /// The engine's, the workbook's, which drives it, and those of the toolchain: what these let their users bring along is
  /// of no module in particular.
  private static let own: Set = [
    "Interleaving", "ControlledDispatch", "Dispatch", "Foundation", "FoundationEssentials",
    "Observation", "Swift", "Synchronization", "Testing", "Workbook",
  ]

  /// What the mangled names of thunks, merged functions and deinitializers end on: these are never instrumented.
  private static let uninstrumented = ["TA", "TR", "TW", "Tm", "fD", "fd"]

  private static func function(at place: UInt) -> String? {
    var offset: UInt = 0
    return place == 0 ? nil : interleaving_symbol(place, &offset).map { String(cString: $0) }
  }

  /// The module of a function; nil of one that many modules may bring along.
  private static func module(of function: String) -> String? {
    guard function.hasPrefix("$s"), !Self.uninstrumented.contains(where: function.hasSuffix) else {
      return nil
    }
    // An extension's code is its own module's, not that of the type.
    let words = demangle(function)?.split(separator: "(extension in ", maxSplits: 1) ?? []
    if words.count == 2 { return words[1].split(separator: ")").first.map(String.init) }
    let digits = function.dropFirst(2).prefix { $0.isNumber }
    guard let length = Int(digits) else { return nil }
    return String(function.dropFirst(2 + digits.count).prefix(length))
  }
}
