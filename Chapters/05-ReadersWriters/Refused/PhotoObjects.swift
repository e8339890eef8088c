// Photos that are objects without a guard, in an actor: they cannot come in or go out.

final class Photo {
  var status = "downloading"
}

actor PhotoManager {
  private(set) var photos: [Photo] = []

  func add(_ photo: Photo) { photos.append(photo) }
}

func finish(_ manager: PhotoManager) async {
  let photo = Photo()
  await manager.add(photo)
  // expected-error@-1 {{sending 'photo' risks causing data races}}
  // expected-note@-2 {{sending 'photo' to actor-isolated instance method 'add' risks causing data races between actor-isolated and local nonisolated uses}}
  photo.status = "good"
  // expected-note@-1 {{access can happen concurrently}}
}
