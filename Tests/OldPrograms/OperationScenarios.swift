import Foundation

private protocol Thumbnailing: Operation {
  var width: Int? { get }
}
extension Wrong.Thumbnail: Thumbnailing {}
extension Right.Thumbnail: Thumbnailing {}

/// Cancels a thumbnail that a queue may have started.
public func makeThumbnail(isRight: Bool) -> Int? {
  let queue = OperationQueue()
  let thumbnail: any Thumbnailing = isRight ? Right.Thumbnail() : Wrong.Thumbnail()
  queue.addOperation(thumbnail)
  thumbnail.cancel()
  queue.waitUntilAllOperationsAreFinished()
  return thumbnail.width
}

/// Cancels an upload that a queue may have started.
///
/// - Returns: What was reported.
public func cancelUpload(isRight: Bool) -> [Bool] {
  let reports = Journal<Bool>()
  let send: @Sendable (@escaping @Sendable () -> Void) -> Void = { response in
    DispatchQueue.global().async { response() }
  }
  let queue = OperationQueue()
  let upload: Operation =
    isRight
    ? Right.Upload(send: send, report: reports.add)
    : Wrong.Upload(send: send, report: reports.add)
  queue.addOperation(upload)
  upload.cancel()
  queue.waitUntilAllOperationsAreFinished()
  return reports.all
}

/// Waits for an import.
public func runImport(isRight: Bool) -> Bool {
  let queue = OperationQueue()
  let operation: Operation = isRight ? Right.Import() : Wrong.Import()
  queue.addOperation(operation)
  queue.waitUntilAllOperationsAreFinished()
  return operation.isFinished
}

private protocol Sharpening: Operation {
  var pixels: Int? { get }
  func configure(factor: Int)
}
extension Wrong.Sharpen: Sharpening {}
extension Right.Sharpen: Sharpening {}

/// Sharpens what another operation decodes.
public func sharpenDecoded(isRight: Bool) -> Int? {
  let decoded = Journal<Int>()
  let source: @Sendable () -> Int? = { decoded.all.first }
  let queue = OperationQueue()
  let decode = BlockOperation { decoded.add(100) }
  let sharpen: any Sharpening =
    isRight ? Right.Sharpen(source: source) : Wrong.Sharpen(source: source)
  sharpen.addDependency(decode)
  queue.addOperation(sharpen)
  queue.addOperation(decode)
  sharpen.configure(factor: 2)
  queue.waitUntilAllOperationsAreFinished()
  return sharpen.pixels
}

/// Looks at a backup while it may run.
public func watchBackup(isRight: Bool) -> Bool {
  let queue = OperationQueue()
  let backup: Operation = isRight ? Right.Backup() : Wrong.Backup()
  queue.addOperation(backup)
  let wasExecuting = backup.isExecuting
  queue.waitUntilAllOperationsAreFinished()
  return wasExecuting
}

/// Shows what another operation fetches.
public func showFetched(isRight: Bool) -> Int? {
  let (fetched, shown) = (Journal<Int>(), Journal<Int?>())
  let block: @Sendable (@escaping @Sendable () -> Void) -> Void = { finish in
    DispatchQueue.global().async {
      fetched.add(7)
      finish()
    }
  }
  let queue = OperationQueue()
  let fetch: Operation =
    isRight ? Right.AsyncBlockOperation(block: block) : Wrong.AsyncBlockOperation(block: block)
  let show = BlockOperation { shown.add(fetched.all.first) }
  show.addDependency(fetch)
  queue.addOperations([fetch, show], waitUntilFinished: true)
  return shown.all[0]
}

/// Sends a request whose answer may come in time or not.
///
/// - Returns: What its owner was told.
public func sendRequest(isRight: Bool) -> [String] {
  let replies = Journal<String>()
  let responses = Journal<@Sendable (Int) -> Void>()
  let tell: @Sendable (Reply) -> Void = { replies.add("\($0)") }
  let request: Operation =
    isRight
    ? Right.Request(limit: .seconds(5), send: responses.add, completion: tell)
    : Wrong.Request(limit: .seconds(5), send: responses.add, completion: tell)
  request.start()
  responses.all[0](200)
  request.waitUntilFinished()
  return replies.all
}
