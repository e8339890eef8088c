import CInterleaving
import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// What memory holds, as its user knows it.
struct Variable: Hashable, Sendable {
  /// As the code spells it, with its owner's type; for memory without a name, what it is.
  let name: String
  /// Whether it holds a plain value: whatever order it is used in, no memory is lost by that. References, and pointers
  /// and what contains them, are not plain.
  let isPlain: Bool
  /// What it was in, if that is known.
  let type: String?
}

/// Memory with the variable that it holds.
private struct Field {
  let variable: Variable
  /// The variable's own type, and where it begins in what it is in, in bytes.
  var type: Any.Type?
  var start = 0
}

extension Variable {
  /// - Parameters:
  ///   - address: Of a byte of it.
  ///   - object: The object that it lies in; its address is 0 if it lies in none that is known.
  init(at address: UInt, in object: interleaving_object) {
    self =
      Self.find(address, in: object)?.variable
      ?? Variable(name: "memory", isPlain: false, type: nil)
  }

  /// The number or Boolean that memory holds, in few words; nil if it holds something else: of an enumeration, or a
  /// structure, a part may have been written.
  ///
  /// - Parameters:
  ///   - address: Of a byte of it, which is there still.
  ///   - object: The object that it lies in; its address is 0 if it lies in none that is known.
  static func value(at address: UInt, in object: interleaving_object) -> String? {
    guard let field = find(address, in: object), let type = field.type,
      scalars.contains(where: { $0 == type })
    else { return nil }
    let start = object.address == 0 ? address : object.address + UInt(field.start)
    func load<T>(_: T.Type) -> Any { UnsafeRawPointer(bitPattern: start)!.load(as: T.self) }
    return describe(_openExistential(type, do: load))
  }

  private static func find(_ address: UInt, in object: interleaving_object) -> Field? {
    guard object.address != 0 else { return global(at: interleaving_place(address)) }
    return inside(
      UnsafeRawPointer(bitPattern: object.metadata)!, at: Int(address - object.address))
  }

  // MARK: Globals

  private static func global(at place: UInt) -> Field? {
    var offset: UInt = 0
    guard place != 0, let symbol = interleaving_symbol(place, &offset),
      let demangled = demangle(symbol)?.withoutDiscriminators
    else { return nil }
    // Such as "static Shop.Stock.shared : Swift.Int".
    let parts = demangled.split(separator: " : ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let path = parts[0].split(separator: " ").last?.split(separator: ".") ?? []
    let type = plainGlobals[String(parts[1])]
    return Field(
      variable: Variable(
        name: path.last.map(String.init) ?? demangled, isPlain: type != nil,
        type: path.count > 2 ? String(path[path.count - 2]) : nil), type: type)
  }

  /// What is stored in one piece, so that it is whole at any moment.
  private static let scalars: [Any.Type] = [
    Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
    UInt16.self, UInt32.self, UInt64.self, UInt128.self, Bool.self, Double.self, Float.self,
  ]

  /// Of a global's type there is only the name.
  private static let plainGlobals: [String: Any.Type] = {
    func types<T>(_: T.Type) -> [(String, Any.Type)] {
      let name = String(reflecting: T.self)
      return [(name, T.self), ("Swift.Optional<\(name)>", T?.self), ("\(name)?", T?.self)]
    }
    return Dictionary(
      uniqueKeysWithValues: (scalars + [Duration.self]).flatMap { _openExistential($0, do: types) })
  }()

  // MARK: Objects

  private static func inside(_ metadata: UnsafeRawPointer, at offset: Int) -> Field? {
    switch metadata.load(as: UInt.self) {
    case 0x400: captured(metadata, at: offset)
    // A class: its metadata begins with that of its type's, or with a small number.
    case 0, 0x800...:
      storage(unsafeBitCast(metadata, to: Any.Type.self))
        ?? field(of: unsafeBitCast(metadata, to: Any.Type.self), at: offset, isClass: true)
    default: nil
    }
  }

  /// What an array, a string or the like keeps its elements in: a count in it that is wrong is memory lost.
  private static func storage(_ type: Any.Type) -> Field? {
    let name = String(reflecting: type)
    guard name.hasPrefix("Swift.") else { return nil }
    let kinds = [
      "Array": "an array", "String": "a string", "Dictionary": "a dictionary", "Set": "a set",
    ]
    let kind = kinds.first { name.prefix { $0 != "<" }.contains($0.key) }?.value ?? "\(type)"
    return Field(variable: Variable(name: "the storage of \(kind)", isPlain: false, type: nil))
  }

  /// A stored property; of a structure in it, the property's own.
  private static func field(of type: Any.Type, at offset: Int, isClass: Bool) -> Field? {
    var found: Field?
    _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: isClass ? 1 : 0)) {
      name, start, fieldType, kind in
      guard offset >= start, offset < start + max(size(of: fieldType), 1) else { return true }
      let name = String(cString: name).replacing("$__lazy_storage_$_", with: "")
      let inner =
        kind == .struct && !String(reflecting: fieldType).hasPrefix("Swift.")
        ? field(of: fieldType, at: offset - start, isClass: false) : nil
      let variable = Variable(
        name: inner.map { "\(name).\($0.variable.name)" } ?? name,
        isPlain: inner?.variable.isPlain ?? isPlain(fieldType), type: "\(type)")
      found = Field(
        variable: variable, type: inner?.type ?? fieldType, start: start + (inner?.start ?? 0))
      return false
    }
    return found
  }

  /// A variable in a box, or what a closure has captured: of these the types are known, and no names.
  private static func captured(_ metadata: UnsafeRawPointer, at offset: Int) -> Field? {
    guard let captures = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else {
      return nil
    }
    var start = Int(metadata.load(fromByteOffset: 8, as: UInt32.self))
    for index in 0..<Int(captures.load(as: UInt32.self)) {
      let field = captures + 12 + 4 * index
      guard let type = self.type(named: field + Int(field.load(as: Int32.self))) else { return nil }
      let alignment = alignment(of: type)
      start = (start + alignment - 1) / alignment * alignment
      if offset >= start, offset < start + size(of: type) {
        return Field(
          variable: Variable(name: "a captured \(type)", isPlain: isPlain(type), type: nil),
          type: type, start: start)
      }
      start += size(of: type)
    }
    return nil
  }

  /// The type that a mangled name stands for; references to other symbols are binary in it.
  private static func type(named name: UnsafeRawPointer) -> Any.Type? {
    var length = 0
    while case let byte = name.load(fromByteOffset: length, as: UInt8.self), byte != 0 {
      length += byte < 0x18 ? 5 : byte < 0x20 ? 9 : 1
    }
    return interleaving_type_named(name, length).map { unsafeBitCast($0, to: Any.Type.self) }
  }

  private static func size(of type: Any.Type) -> Int {
    func size<T>(_: T.Type) -> Int { MemoryLayout<T>.size }
    return _openExistential(type, do: size)
  }

  private static func alignment(of type: Any.Type) -> Int {
    func alignment<T>(_: T.Type) -> Int { MemoryLayout<T>.alignment }
    return _openExistential(type, do: alignment)
  }

  /// Whether all that a value of a type holds can be read while another writes it.
  private static func isPlain(_ type: Any.Type) -> Bool {
    func isTrivial<T>(_: T.Type) -> Bool { _isPOD(T.self) }
    guard _openExistential(type, do: isTrivial) else { return false }
    let name = String(reflecting: type)
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    switch metadata.load(as: UInt.self) {
    case 0x200 where name.hasPrefix("Swift."):
      return !name.contains("Pointer") && !name.contains("Unmanaged")
    // What C declares says nothing of its fields.
    case 0x200 where name.hasPrefix("__C."): return false
    case 0x200, 0x301:
      var isPlain = true
      _ = _forEachField(of: type, options: []) { _, _, field, _ in
        isPlain = self.isPlain(field)
        return isPlain
      }
      return isPlain
    case 0x201: return payloads(of: metadata).allSatisfy { $0.map(isPlain) ?? false }
    // An optional: its argument follows its description.
    case 0x202: return isPlain(metadata.load(fromByteOffset: 16, as: Any.Type.self))
    default: return false
    }
  }

  /// What the cases of an enumeration hold; nil for a type that is not known without its context.
  private static func payloads(of metadata: UnsafeRawPointer) -> [Any.Type?] {
    func follow(_ address: UnsafeRawPointer) -> UnsafeRawPointer? {
      let distance = address.load(as: Int32.self)
      return distance == 0 ? nil : address + Int(distance)
    }
    let description = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    guard let fields = follow(description + 16) else { return [nil] }
    return (0..<Int(fields.load(fromByteOffset: 12, as: UInt32.self))).compactMap { index in
      follow(fields + 16 + 12 * index + 4).map { type(named: $0) }
    }
  }
}

extension SwiftRuntime {
  /// Functions that were looked up, by their places.
  private static let functions = Mutex<[Place: Function?]>([:])

  /// A function of a program.
  struct Function {
    /// Its name, with the type that it is of and nothing around that, such as "Counter.increment".
    let name: String
    /// Whether it is the standard library's: each module may bring a copy of it along.
    let isSwifts: Bool
    /// Whether it belongs to what runs scenarios.
    let isOurs: Bool

    /// Whether it is a closure, and not a function with a name of its own.
    var isClosure: Bool { name.hasPrefix("a closure in ") }
  }

  /// The function at a place.
  static func function(at place: Place) -> Function? {
    if let known = functions.withLock({ $0[place] }) { return known }
    let found = findFunction(at: place)
    functions.withLock { $0[place] = .some(found) }
    return found
  }

  /// The function in a demangled symbol, from its module on, and its path in that.
  private static func parts(of symbol: String) -> (function: Substring, path: [Substring]) {
    // What goes on after an await is a part of its function.
    let name = symbol.withoutDiscriminators
      .replacing(Patterns.partialFunction, with: "")
    // Of "closure #1 () -> () in static Shop.Stock.order(…) -> …" it is what is after the last "in".
    let function = (name.ranges(of: " in ").last.map { name[$0.upperBound...] } ?? name[...])
      .replacing("static ", with: "")
    let path = function.prefix { $0 != "(" && $0 != " " && $0 != "<" }.split(separator: ".")
    return (function[...], Array(path.dropFirst()))
  }

  /// What a function of a library's is called, by its symbol, such as "NSCache.setObject"; nil if that is none.
  static func functionName(of symbol: UnsafePointer<CChar>) -> String? {
    guard symbol[0] == UInt8(ascii: "$"), let whole = demangle(symbol) else { return nil }
    let path = parts(of: whole).path.filter { !["getter", "setter", "modify"].contains($0) }
    return path.suffix(2).joined(separator: ".")
  }

  private static func findFunction(at place: Place) -> Function? {
    var offset: UInt = 0
    guard let symbol = interleaving_symbol(place.offset, &offset),
      let whole = demangle(symbol)
    else {
      return nil
    }
    let (function, path) = parts(of: whole)
    guard !path.isEmpty else { return nil }
    let module = function.prefix { $0 != "." }
    // A name in backquotes is a sentence, such as a test's.
    let short = path.suffix(2).joined(separator: ".").prefix { $0 != "@" }
    let own = short.contains("`") ? "the scenario" : String(short)
    return Function(
      name: (whole.contains("closure #") ? "a closure in " : "") + own,
      isSwifts: module == "Swift" && !whole.contains(Patterns.otherExtension),
      isOurs: ourModules.contains(String(module)))
  }

  /// The modules that run scenarios: this library, those that stand in for Dispatch, and those that call them.
  private static let ourModules = [
    "Interleaving", "ControlledDispatch", "InterleavingTesting", "Workbook",
  ]

  /// What the symbols of these modules begin with.
  private static let ourBeginnings = ourModules.map { "$s\($0.utf8.count)\($0)" }

  /// Whether a symbol is one of the first few modules that run scenarios, by default of this library alone.
  static func isOurs(_ symbol: UnsafePointer<CChar>, modules: Int = 1) -> Bool {
    ourBeginnings.prefix(modules).contains { strncmp(symbol, $0, $0.utf8.count) == 0 }
  }

  /// Whether code at a place was written in a module that runs scenarios, by its symbol alone: what sets up a static
  /// has no name that people read.
  static func isOurs(_ place: Place) -> Bool {
    var offset: UInt = 0
    guard let symbol = interleaving_symbol(place.offset, &offset) else { return true }
    return isOurs(symbol, modules: ourModules.count)
  }

  /// Whether a thread is in the midst of the explorer's work: in its code, or in a copy of the standard library's that it
  /// has called.
  ///
  /// Called where a thread was interrupted, perhaps with a lock: it takes none.
  ///
  /// - Parameter places: Where the thread is, from the inside out.
  static func isExploring(_ places: [Place]) -> Bool {
    for place in places {
      var offset: UInt = 0
      guard let symbol = interleaving_symbol(place.offset, &offset) else { continue }
      if isOurs(symbol, modules: 2) { return true }
      // Of another module; what is the standard library's begins with a letter.
      if symbol[0] != 0, symbol[1] != 0, 48...57 ~= symbol[2] { return false }
    }
    return false
  }
}

extension String {
  /// A demangled symbol without what only compilers need: what is private bears its file's code, as in
  /// "(increment in _AEE726D2FE49)", and what is in an extension its module.
  var withoutDiscriminators: String {
    replacing(Patterns.discriminator) { $0.output.1 }.replacing(Patterns.extension, with: "")
  }
}

/// What symbols have that people do not read; made once, and not for each symbol.
private enum Patterns {
  // Unsafe: matching changes nothing of a pattern but what it keeps for the next time, and that atomically.
  nonisolated(unsafe) static let discriminator = #/\(([^\s()]+) in _[0-9A-F]+\)/#
  nonisolated(unsafe) static let `extension` = #/\(extension in \w+\):/#
  nonisolated(unsafe) static let otherExtension = #/\(extension in (?!Swift\))/#
  nonisolated(unsafe) static let partialFunction =
    #/^\(\d+\) (?:await|suspend) resume partial function for /#
}

/// A symbol as people read it.
func demangle(_ symbol: UnsafePointer<CChar>) -> String? {
  guard let text = interleaving_demangle(symbol) else { return nil }
  defer { free(text) }
  return String(cString: text)
}
