/// How text travels in URLs, forms, XML and headers.
extension String {
  /// Everything but the unreserved characters of RFC 3986 as `%XX` of its UTF-8: right in a path, a query and
  /// a form alike.
  var percentEncoded: String {
    var encoded: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default:
        encoded += [UInt8(ascii: "%"), Self.hex[Int(byte >> 4)], Self.hex[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Safe in XML text and attributes. Characters that XML 1.0 cannot hold are left out.
  var xmlEscaped: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The UTF-8 in base64 with padding. Source: RFC 4648.
  var base64: String {
    let bytes = Array(utf8)
    var encoded: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...3 {
        let filled = place <= group.count
        encoded.append(filled ? Self.base64Digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static let hex = Array("0123456789ABCDEF".utf8)
  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

/// A body of `application/x-www-form-urlencoded`.
func formEncoded(_ fields: [(name: String, value: String)]) -> String {
  fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
}

extension Sequence<UInt8> {
  /// ASCII letters in lower case, all else as it is.
  var asciiLowercased: [UInt8] {
    map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }
}

extension [UInt8] {
  /// Whether `part` occurs in it; an empty one always does.
  func holds(_ part: String) -> Bool {
    let wanted = Array(part.utf8)
    guard let first = wanted.first else { return true }
    guard count >= wanted.count else { return false }
    return (0...(count - wanted.count)).contains {
      self[$0] == first && self[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }
}
