import Foundation
import Testing

@testable import DaemonCore

/// Secrets come from elsewhere, and never appear in what is told.
@Suite struct ConfigSecretTests {
  static let marker = "S3CRETmarker"

  /// Gateways with MARK at each place of a secret.
  static let places = [
    #""type":"webhook","url":MARK"#, #""type":"webhook","url":"https://h","headers":{"Authorization":MARK}"#,
    #""type":"whatsapp","phone_number_id":"1","access_token":MARK"#,
    #""type":"twilio","account_sid":"A","from":"x","auth_token":MARK"#,
    #""type":"telegram","bot_token":MARK"#,
    #""type":"callmebot","api_key":MARK"#, #""type":"ntfy","token":MARK"#,
    #""type":"matrix","url":"https://h","access_token":MARK"#, #""type":"pushover","token":MARK"#,
    #""type":"signal","url":"https://h","number":"+628110000001","token":MARK"#,
  ]

  /// What may stand there by mistake.
  static let mistakes = [
    #""S3CRETmarker""#, #""https://S3CRETmarker@""#, #""http://h/S3CRETmarker""#, #""S3CRETmarker\n""#,
    #""S3CRETmarker\u0000""#,
    #"["S3CRETmarker"]"#, #"{"S3CRETmarker":1}"#, #"{"S3CRETmarker":"a"}"#, #"{"file":"S3CRETmarker"}"#,
    #"{"credential":"/S3CRETmarker"}"#, #"{"credential":"a","file":"/S3CRETmarker"}"#,
    #"{"value":"S3CRETmarker"}"#,
    #""S3CRETmarker" "S3CRETmarker""#, #""S3CRETmarker"#, #""\q S3CRETmarker""#, #"S3CRETmarker"#,
    #""S3CRETmarker","type":"S3CRETmarker""#, #"{"credential":"c"}"#, #"{"file":"/f"}"#,
  ]

  @Test func everySecretOfEveryGatewayHasItsPlace() {
    for kind in GatewayKind.allCases {
      for key in kind.gateway.keys {
        guard case .secret = key.kind else { continue }
        let isThere = Self.places.contains {
          $0.hasPrefix("\"type\":\"\(kind.rawValue)\",") && $0.contains("\"\(key.name)\":MARK")
        }
        #expect(isThere, "\(kind): \(key.name)")
      }
    }
  }

  @Test(arguments: places) func noProblemShowsASecret(_ place: String) {
    for mistake in Self.mistakes {
      for value in [Self.marker, Self.marker + "\n\n", "\u{1}" + Self.marker, "ftp://" + Self.marker + "/ x"]
      {
        let text = ConfigSample.gateway(place.replacingOccurrences(of: "MARK", with: mistake), route: "")
        let secrets: [SecretReference: SecretLookup] = [
          .credential("c"): .value(value), .file("/f"): .value(value),
        ]
        for problem in ConfigSample.decode(text, secrets).problems {
          #expect(!problem.line(file: "f").contains(Self.marker), "\(text)")
        }
      }
    }
  }

  @Test func aSecretInAKeyIsNotShown() {
    let texts = [
      ConfigSample.gateway(
        #""type":"webhook","url":"https://h","headers":{"Authorization: S3CRETmarker":"","Authorization: S3CRETmarker":""}"#
      ),
      ConfigSample.gateway(#""type":"telegram","bot_token:S3CRETmarker":1"#),
      ConfigSample.top(#""token=S3CRETmarker":1"#),
    ]
    for text in texts {
      let problems = ConfigSample.decode(text).problems
      #expect(!problems.isEmpty && !problems.contains { $0.line(file: "f").contains(Self.marker) })
    }
  }

  @Test func aRoutesKeyIsNotShown() {
    for mistake in Self.mistakes {
      let route = #""to":"+628110000000","api_key":"# + mistake
      let text = ConfigSample.gateway(
        #""type":"twilio","account_sid":"A","from":"x","auth_token":"t""#, route: route)
      #expect(!ConfigSample.decode(text).problems.contains { $0.line(file: "f").contains(Self.marker) })
    }
  }

  @Test func aCertificateForAURLOutOfSightIsNoError() {
    let text = ConfigSample.gateway(
      #""type":"webhook","url":{"credential":"url"},"ca_file":"/etc/ca.pem""#, route: #""to":"x""#)
    func errors(_ secrets: [SecretReference: SecretLookup]) -> [String] {
      ConfigSample.decode(text, secrets).problems.filter { $0.severity == .error }.map(\.key)
    }

    #expect(errors([:]) == [])
    #expect(errors([.credential("url"): .hidden("out of sight")]) == [])
    #expect(errors([.credential("url"): .value("https://h/")]) == [])
    #expect(errors([.credential("url"): .value("http://localhost/")]) == ["gateways.g.ca_file"])
  }

  @Test func referencesAreCollectedThenUsed() {
    let text = ConfigSample.complete
    let first = ConfigSample.decode(text)
    #expect(first.references == [.file("/etc/key"), .credential("twilio")])
    #expect(first.problems.isEmpty, "what was not looked up is no problem yet")

    let failed = ConfigSample.decode(
      text,
      [.file("/etc/key"): .failed("cannot read /etc/key"), .credential("twilio"): .hidden("out of sight")])
    #expect(failed.config == nil)
    #expect(
      failed.problems.map { "\($0.severity) \($0.key): \($0.text)" } == [
        "error gateways.hook.headers.Authorization: cannot read /etc/key",
        "warning gateways.sms.auth_token: out of sight",
      ])
    for bad in ["", "a\nb", "a\r\nX: y"] {
      #expect(
        ConfigSample.decode(text, [.file("/etc/key"): .value(bad), .credential("twilio"): .value("t")]).config
          == nil)
    }
  }

  @Test(arguments: [
    #"{"file":"a"}"#, #"{"file":""}"#, #"{"credential":"a/b"}"#, #"{"credential":""}"#,
    #"{"credential":"a\u0000b"}"#, #"{}"#, #"{"credential":1}"#,
  ])
  func aReferenceThatCanBeNoneIsAnError(_ reference: String) {
    let text = ConfigSample.gateway(#""type":"telegram","bot_token":"# + reference, route: #""to":1"#)
    let result = ConfigSample.decode(text)
    #expect(result.config == nil && result.references.isEmpty)
    #expect(result.problems.map(\.key) == ["gateways.g.bot_token"])
  }
}
