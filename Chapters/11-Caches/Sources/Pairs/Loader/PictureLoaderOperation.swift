import Foundation

/// Stands for one call that asks for a picture.
struct Ticket: Hashable, Sendable {
  let url: URL
  let id: Int
}

extension Operated {
  /// Loads pictures: from memory, or by one operation for all that ask. It calls back on the main queue.
  // Sendable because `flights` and `lastID` are used under `lock` only.
  final class PictureLoader: @unchecked Sendable {
    private struct Waiter {
      let id: Int
      var urgency: Urgency
      let completion: Completion<Picture>
    }

    private struct Flight {
      let operation: PictureDownload
      var waiters: [Waiter] = []
    }

    private let lock = NSLock()
    private var flights: [URL: Flight] = [:]
    private var lastID = 0
    private let queue = OperationQueue()
    private let memory: any PictureMemory
    private let load: CallbackLoad

    init(width: Int, memory: any PictureMemory, load: @escaping CallbackLoad) {
      queue.maxConcurrentOperationCount = width
      self.memory = memory
      self.load = load
    }

    /// Calls back once, with `CancellationError` if the ticket is cancelled while it waits for a download.
    func load(
      _ url: URL, _ urgency: Urgency, then completion: @escaping Completion<Picture>
    ) -> Ticket {
      lock.withLock {
        lastID += 1
        let ticket = Ticket(url: url, id: lastID)
        // Memory and table are one step, because what lands goes from one to the other.
        if let picture = memory.picture(for: url) {
          DispatchQueue.main.async { completion(.success(picture)) }
          return ticket
        }
        let isNew = flights[url] == nil
        let operation = flights[url]?.operation ?? newDownload(url)
        flights[url, default: Flight(operation: operation)].waiters
          .append(Waiter(id: ticket.id, urgency: urgency, completion: completion))
        prioritise(url)
        if isNew { queue.addOperation(operation) }
        return ticket
      }
    }

    func set(_ urgency: Urgency, of ticket: Ticket) {
      lock.withLock {
        guard let index = index(of: ticket) else { return }
        flights[ticket.url]?.waiters[index].urgency = urgency
        prioritise(ticket.url)
      }
    }

    func cancel(_ ticket: Ticket) { cancel(CollectionOfOne(ticket)) }

    func cancel(_ tickets: some Sequence<Ticket>) {
      var (waiters, abandoned) = ([Waiter](), [PictureDownload]())
      lock.withLock {
        for ticket in tickets {
          guard let index = index(of: ticket), var flight = flights[ticket.url] else { continue }
          waiters.append(flight.waiters.remove(at: index))
          // Out of the table at once, so that nobody joins what is being cancelled.
          flights[ticket.url] = flight.waiters.isEmpty ? nil : flight
          if flight.waiters.isEmpty { abandoned.append(flight.operation) }
          prioritise(ticket.url)
        }
      }
      // What waits goes first, so that nothing begins in the room that the others leave.
      for operation in abandoned where !operation.isExecuting { operation.cancel() }
      for operation in abandoned where !operation.isCancelled { operation.cancel() }
      for waiter in waiters {
        DispatchQueue.main.async { waiter.completion(.failure(CancellationError())) }
      }
    }

    private func land(_ operation: PictureDownload, _ result: Result<Picture, any Error>) {
      let waiters = lock.withLock { () -> [Waiter] in
        // There may be another flight to this address by now.
        guard let flight = flights[operation.url], flight.operation === operation else { return [] }
        if case .success(let picture) = result { memory.keep(picture, for: operation.url) }
        flights[operation.url] = nil
        return flight.waiters
      }
      if waiters.isEmpty { return }
      DispatchQueue.main.async { for waiter in waiters { waiter.completion(result) } }
    }

    private func newDownload(_ url: URL) -> PictureDownload {
      // The loader stays as long as it has something to tell.
      PictureDownload(url, by: load) { self.land($0, $1) }
    }

    private func index(of ticket: Ticket) -> Int? {
      flights[ticket.url]?.waiters.firstIndex { $0.id == ticket.id }
    }

    /// An operation is as urgent as its most urgent waiter.
    private func prioritise(_ url: URL) {
      guard let flight = flights[url] else { return }
      let isVisible = flight.waiters.contains { $0.urgency == .visible }
      let priority = isVisible ? Operation.QueuePriority.normal : .low
      // Set only where it changes, because it may send the operation behind its equals.
      if flight.operation.queuePriority != priority { flight.operation.queuePriority = priority }
    }
  }
}
