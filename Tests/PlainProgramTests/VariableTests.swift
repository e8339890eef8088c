import ControlledDispatch
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

private nonisolated(unsafe) var total = 0

/// What a race calls what is raced for, and whether every order of it is run.
@Suite(.requiresWatching) struct VariableTests {
  enum Phase {
    case idle
    case loading(Int)
  }
  enum Cursor {
    case nowhere
    case at(UnsafeRawPointer)
  }

  /// Too large for registers, and with references to count.
  enum Answer {
    case none
    case person(name: String, city: String)
    case failure(any Error)

    init(_ name: String?) { self = name.map { .person(name: $0, city: $0) } ?? .none }
  }

  struct Size {
    var width = 0.0
    var isKnown: Bool?
  }

  struct Slice {
    var start: UnsafePointer<Int>?
    var count = 0
  }

  final class Page: @unchecked Sendable {
    var phase = Phase.idle
    var cursor = Cursor.nowhere
    var size = Size()
    var slice = Slice()
    var last: (Int, Phase) = (0, .idle)
    var title: String?
    var tags: [String] = []
    var answer = Answer.none
  }

  @Test(arguments: [
    ("phase", true), ("cursor", false), ("size.width", true), ("slice.start", false),
    ("last", true), ("title", false), ("total", true),
  ])
  func `a race names its variable, and is run in every order if that is plain`(
    _ variable: String, _ isPlain: Bool
  ) async {
    @Sendable func write(_ page: Page) {
      switch variable {
      case "phase": page.phase = .loading(1)
      case "cursor": page.cursor = .nowhere
      case "size.width": page.size.width = 1
      case "slice.start": page.slice.start = nil
      case "last": page.last.0 = 1
      case "title": page.title = nil
      default: total = 1
      }
    }
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let page = Page()
      strands({ write(page) }, { write(page) })
    }
    #expect(Set(exploration.failures.map(\.variable)) == [variable], "\(exploration)")
    #expect(exploration.isComplete == isPlain, "\(exploration)")
    if !isPlain {
      #expect(exploration.completeness == .unexploredRace(of: variable), "\(exploration)")
    }
  }

  /// Optimized code tells of the storage, too.
  @Test func `what an array keeps its elements in is not plain`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let page = Page()
      @Sendable func add(_ tag: String) {
        var more = page.tags
        more.append(tag)
        page.tags = more
      }
      strands({ add("a") }, { add("b") })
      return page.tags.count
    }
    #expect(Set(exploration.outcomes.keys) == [2], "\(exploration)")
    guard case .unexploredRace = exploration.completeness else {
      Issue.record("\(exploration.completeness)")
      return
    }
  }

  @Test func `a value that is assigned by a function of several modules is written`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let page = Page()
      strands({ page.answer = Answer(nil) }, { page.answer = Answer(nil) })
    }
    #expect(exploration.failures.map(\.variable) == ["answer"], "\(exploration)")
  }

  @Test(arguments: [false, true])
  func `a copy that is handed out from a queue is a read`(hasBarrier: Bool) async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let photos = Photos(hasBarrier: hasBarrier)
      photos.replace(by: [1])
      return photos.all
    }
    // Out of order, an array's reading breaks memory: the race is found, and what comes of it is not run.
    #expect(exploration.isComplete == hasBarrier, "\(exploration)")
    #expect(exploration.failures.map(\.kind) == (hasBarrier ? [] : [.race]), "\(exploration)")
  }
}
