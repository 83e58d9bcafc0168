/// What can stand in a JSON document.
protocol JSONWritable {
  func write(to json: inout JSONWriter)
}

extension JSONWritable {
  func written(indent: Int? = nil) -> JSONWriter {
    var json = JSONWriter(indent: indent)
    write(to: &json)
    return json
  }

  /// On one line, as a message's body.
  var bytes: [UInt8] { written().bytes }
}

extension Int: JSONWritable {
  func write(to json: inout JSONWriter) { json.integer(self) }
}

extension String: JSONWritable {
  func write(to json: inout JSONWriter) { json.string(self) }
}

/// One of a few words.
protocol JSONWord: JSONWritable, RawRepresentable where RawValue == String {}

extension JSONWord {
  // Once for each set of words, instead of wherever one is written.
  @inline(never)
  func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension AlertState: JSONWord {}
extension MessageKind: JSONWord {}
extension UpdateReason: JSONWord {}
extension DeliveryState: JSONWord {}
extension FixMode: JSONWord {}
extension FixOrigin: JSONWord {}
extension Language: JSONWord {}
extension CompassPoint: JSONWord {}

extension Array: JSONWritable where Element: JSONWritable {
  func write(to json: inout JSONWriter) {
    json.array { json in
      for element in self { json.element(element) }
    }
  }
}
