/// A gateway that the configuration can name: its keys, its decoding, and what addresses look like there.
protocol ConfigurableGateway: Gateway {
  /// Beside `type`, `timeout` and `ca_file`.
  static var keys: [ConfigKey] { get }
  /// nil when an error was reported.
  static func decode(_ reader: ObjectReader) -> Self?
  /// What a route's `to` must be.
  static var addressing: Addressing { get }
}

/// Every type of gateway. A new one has its name and its type here.
package enum GatewayKind: String, Hashable, Sendable, CaseIterable {
  case webhook, whatsapp, twilio, callmebot, telegram, ntfy, matrix, pushover, signal, traccar

  var gateway: any ConfigurableGateway.Type {
    switch self {
    case .webhook: Webhook.self
    case .whatsapp: WhatsApp.self
    case .twilio: Twilio.self
    case .callmebot: CallMeBot.self
    case .telegram: Telegram.self
    case .ntfy: Ntfy.self
    case .matrix: Matrix.self
    case .pushover: Pushover.self
    case .signal: Signal.self
    case .traccar: Traccar.self
    }
  }
}
