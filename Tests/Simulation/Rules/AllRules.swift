/// The promises, each on its own.
func allRules() -> [any Rule] {
  [PressRule(), StoredFirstRule()]
}
