extension TaskGrouped {
  /// Uploads the photos of an album, and then announces it.
  struct Publishing: Sendable {
    let upload: Awaited.Upload
    let announce: @Sendable ([Receipt]) -> Void

    func publish(_ photos: [Photo]) async throws {
      let receipts = try await withThrowingTaskGroup(of: (index: Int, receipt: Receipt).self) {
        group in
        for (index, photo) in photos.enumerated() {
          group.addTask {
            let receipt = try await upload.upload(photo)
            return (index, receipt)
          }
        }
        var receipts: [Int: Receipt] = [:]
        for try await (index, receipt) in group { receipts[index] = receipt }
        return photos.indices.map { receipts[$0]! }
      }
      announce(receipts)
    }
  }
}
