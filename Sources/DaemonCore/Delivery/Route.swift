/// One way to reach a contact.
package struct Route: Hashable, Sendable {
  /// The name of a gateway in the configuration.
  package var gateway: String
  /// Canonical address; nil where the gateway needs none.
  package var to: String?
  /// CallMeBot's key where it belongs to the contact. Never stored, never logged.
  package var apiKey: String?

  package init(gateway: String, to: String? = nil, apiKey: String? = nil) {
    self.gateway = gateway
    self.to = to
    self.apiKey = apiKey
  }
}
