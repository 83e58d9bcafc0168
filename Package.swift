// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "soteriad",
  products: [.executable(name: "soteriad", targets: ["soteriad"])],
  targets: [
    .target(name: "CSystem"),
    .target(name: "CGps", linkerSettings: [.linkedLibrary("gps")]),
    .target(name: "CGpiod", linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .systemLibrary(name: "CSQLite"),
    .target(name: "DaemonCore"),
    .executableTarget(
      name: "soteriad",
      dependencies: ["DaemonCore", "CSystem", "CGps", "CGpiod", "CCurl", "CSQLite"]),
    .testTarget(name: "DaemonCoreTests", dependencies: ["DaemonCore"]),
    .testTarget(
      name: "soteriadTests", dependencies: ["soteriad", "DaemonCore", "CSystem", "CGpiod", "CCurl"]),
  ]
)
