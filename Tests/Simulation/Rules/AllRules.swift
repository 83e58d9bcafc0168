/// The promises, each on its own.
func allRules() -> [any Rule] {
  [
    PressRule(), AlertRule(), StoredFirstRule(), DeliveryRule(), OnceRule(), PromptRule(), CancelRule(),
    HonestRule(), CalmRule(),
  ]
}
