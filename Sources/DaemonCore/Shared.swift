/// A large value that is made once and read in many places: to copy it is to count one more reference.
@dynamicMemberLookup
package final class Shared<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) {
    self.value = value
  }

  package subscript<Member>(dynamicMember path: KeyPath<Value, Member>) -> Member { value[keyPath: path] }
}
