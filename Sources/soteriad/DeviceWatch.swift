import CSystem

/// Notices GPIO chips that come and go: of one that was unbound the kernel tells the line's reader nothing.
struct DeviceWatch {
  let descriptor: Int32

  init?(directory: String = "/dev") {
    descriptor = sot_directory_watch(directory, false)
    if descriptor < 0 { return nil }
  }

  func drain() -> Bool { sot_directory_changed(descriptor, "gpiochip") }
}
