// swift-tools-version: 6.0
import PackageDescription

/// Not by the command line, which would define it for Swift's reading of the headers too.
let hardened: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

let package = Package(
  name: "soteriad",
  products: [.executable(name: "soteriad", targets: ["soteriad"])],
  targets: [
    .target(name: "CSystem", cSettings: hardened),
    .target(name: "CGps", cSettings: hardened, linkerSettings: [.linkedLibrary("gps")]),
    .target(name: "CGpiod", cSettings: hardened, linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CCurl", cSettings: hardened, linkerSettings: [.linkedLibrary("curl")]),
    .systemLibrary(name: "CSQLite"),
    .target(name: "DaemonCore"),
    .executableTarget(
      name: "soteriad",
      dependencies: ["DaemonCore", "CSystem", "CGps", "CGpiod", "CCurl", "CSQLite"]),
    // Never shipped: a world around the core, and the program that runs it.
    .target(name: "Simulation", dependencies: ["DaemonCore"], path: "Tests/Simulation"),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/simulate"),
    .testTarget(name: "SimulationTests", dependencies: ["Simulation"]),
    .testTarget(name: "DaemonCoreTests", dependencies: ["DaemonCore"]),
    .testTarget(
      name: "soteriadTests", dependencies: ["soteriad", "DaemonCore", "CSystem", "CGpiod", "CCurl"]),
    // Against servers that ./test --peers starts.
    .testTarget(name: "PeerTests", dependencies: ["soteriad", "DaemonCore", "CCurl"]),
  ]
)
