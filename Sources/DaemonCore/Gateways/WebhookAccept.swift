/// Which answers of a webhook's server count as accepted. All that is given must hold.
package struct WebhookAccept: Hashable, Sendable {
  /// Empty: 200...299.
  package var statuses: [Int]
  package var bodyContains: String?
  /// Keys (or array indices) that lead to a value of the answer; `*` means every element of a list. nil: the
  /// answer need not be JSON.
  package var jsonPath: [String]?
  /// What must stand there; nil: anything.
  package var jsonEquals: JSON?
  /// Whether acceptance proves that the contact is told; false: the next route goes too.
  package var proves = true

  package init(
    statuses: [Int] = [], bodyContains: String? = nil, jsonPath: [String]? = nil, jsonEquals: JSON? = nil
  ) {
    self.statuses = statuses
    self.bodyContains = bodyContains
    self.jsonPath = jsonPath
    self.jsonEquals = jsonEquals
  }
}
