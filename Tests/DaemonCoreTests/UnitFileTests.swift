import Foundation
import Testing

/// What the service manager must do for a device that nobody looks after.
@Suite struct UnitFileTests {
  private static var settings: [String] {
    get throws {
      String(decoding: try ConfigSample.file("systemd/soteriad.service"), as: UTF8.self)
        .split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }
  }

  @Test(arguments: [
    // Ten quick failures, and the eleventh start comes all the same.
    "StartLimitIntervalSec=0", "Restart=always", "RestartSec=1",
    // A process that hangs is replaced, one that is replaced loses no press.
    "Type=notify", "WatchdogSec=60", "FileDescriptorStoreMax=2",
    // A reload is a signal, and one that systemd 252 knows.
    "ExecReload=/bin/kill -HUP $MAINPID",
    // Alerts and positions are nobody else's.
    "StateDirectory=soteria", "StateDirectoryMode=0700", "UMask=0077",
    // No line about an alert is dropped.
    "LogRateLimitIntervalSec=0",
  ])
  func holds(_ setting: String) throws {
    let name = setting.prefix { $0 != "=" } + "="

    #expect(try Self.settings.filter { $0.hasPrefix(name) } == [setting])
  }

  /// A network that never comes up, or no gpsd, must not keep the button from being watched.
  @Test func waitsForNothingThatMayNotCome() throws {
    let waits = try Self.settings.filter { line in
      ["After=", "Requires=", "Wants=", "BindsTo=", "Requisite=", "Condition", "Assert"].contains {
        line.hasPrefix($0)
      }
    }

    #expect(waits == ["After=local-fs.target"])
  }
}
