// What the photo managers have in common: subjects, histories and tests drive them all by it.

/// Keeps photos in the order in which they were added. A read gives all that were added before it, by the same caller or by
/// one that this one has heard of.
protocol Managing: AnyObject, Sendable {
  func add(_ id: Int) async
  var ids: [Int] { get async }
}

/// A manager whose photos are objects.
protocol ManagingObjects: Managing {
  func addPhoto(_ photo: any Photo)
  var photos: [any Photo] { get }
}

extension ManagingObjects {
  func add(_ id: Int) { addPhoto(LibraryPhoto(id: id, image: Image(width: 4, height: 3))) }
  var ids: [Int] { photos.map(\.id) }
}

extension Plain.PhotoManager: ManagingObjects {}
extension Queued.PhotoManager: ManagingObjects {}
extension Barriered.PhotoManager: ManagingObjects {}
extension Barriered.DistinctPhotoManager: ManagingObjects {}
extension BarrieredSync.PhotoManager: ManagingObjects {}
extension BarrieredInside.DistinctPhotoManager: ManagingObjects {}
extension Unbarriered.PhotoManager: ManagingObjects {}
extension OnGlobalQueue.PhotoManager: ManagingObjects {}
extension LockedByHalves.PhotoManager: ManagingObjects {}
extension Conditioned.PhotoManager: ManagingObjects {}
extension WriterFirst.PhotoManager: ManagingObjects {}

extension Mutexed.PhotoManager: Managing {
  func add(_ id: Int) { addPhoto(PhotoValue(id: id)) }
  var ids: [Int] { photos.map(\.id) }
}

extension Snapshotted.PhotoManager: Managing {
  func add(_ id: Int) { addPhoto(PhotoValue(id: id)) }
  var ids: [Int] {
    var reader = makeReader()
    return reader.photos.map(\.id)
  }
}

extension Isolated.PhotoManager: Managing {
  func add(_ id: Int) { addPhoto(PhotoValue(id: id)) }
  var ids: [Int] { photos.map(\.id) }
}

extension Unawaited.PhotoManager: Managing {
  nonisolated func add(_ id: Int) { addPhoto(PhotoValue(id: id)) }
  var ids: [Int] { photos.map(\.id) }
}
