/// What every gateway reads the same way in an answer.
extension Response {
  var isSuccess: Bool { (200...299).contains(status) }

  /// Try again, after as long as the server asks.
  func retry(_ reason: String) -> Outcome {
    .retry(reason: reason, after: retryAfter)
  }

  /// The verdict on an answer in which the service did not speak: redirects, web pages, plain statuses.
  var unexplained: Outcome {
    switch status {
    case 301, 302, 303: retry("redirected (\(status)): captive portal or moved address")
    case 307, 308: retry("redirected (\(status)) to where the message is not sent")
    case 300...399: retry("redirected (\(status))")
    case _ where isWebPage: retry("a web page instead of an answer (\(status)): captive portal or proxy")
    case 200...299: retry(body.isEmpty ? "empty answer (\(status))" : "unreadable answer (\(status))")
    case 401: retry("credentials not accepted (401)")
    case 403: retry("not allowed (403)")
    case 404: retry("nothing at this address (404)")
    case 429: retry("too many messages (429)")
    case 500...599: retry("server in trouble (\(status))")
    default: retry("unexpected answer (\(status))")
    }
  }

  private static let pageTags = [
    "<html", "<head", "<title", "<meta", "<body", "<form", "<input", "<a ", "<script", "<iframe",
  ]

  /// Whether people rather than programs are meant to read it. Plain text or JSON that is only labelled HTML, as PHP
  /// does with everything, is no page, even with a line break in it; what leads on, or bytes that are no text
  /// (compressed, UTF-16), make it one.
  var isWebPage: Bool {
    let content = body.drop { byte in
      switch byte {
      // The last three begin a file.
      case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: true
      default: false
      }
    }
    guard let first = content.first else { return false }
    let type = header("content-type").map { Array($0.utf8.asciiLowercased) } ?? []
    if type.holds("html") {
      if first == UInt8(ascii: "<") || content.contains(where: { $0 < 0x09 }) { return true }
      let page = content.asciiLowercased
      return !"{[".utf8.contains(first) && Self.pageTags.contains(where: page.holds)
    }
    // A comment or an XML declaration may stand before it.
    let start = content.prefix(1024).asciiLowercased
    return first == UInt8(ascii: "<")
      && (["<!doctype html", "<html"].contains { start.holds($0) }
        // Within a program's XML the other two may stand too.
        || ["<head>", "<body"].contains { start.starts(with: $0.utf8) })
  }

  /// How long the server asks to wait; nil when it does not say, or nothing that can be understood.
  ///
  /// A date counts from the answer's own Date: this device's clock may be wrong. Source: RFC 9110 §10.2.3.
  var retryAfter: Duration? {
    guard let value = header("retry-after") else { return nil }
    if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
      return .seconds(min(Int64(value) ?? .max, 315_360_000))
    }
    guard let until = HTTPDate.seconds(value), let now = header("date").flatMap(HTTPDate.seconds) else {
      return nil
    }
    return .seconds(max(0, until - now))
  }
}

/// Source: RFC 9110 §5.6.7, IMF-fixdate; the two obsolete forms are not read.
enum HTTPDate {
  /// Seconds since 1970; nil when it is not such a date.
  static func seconds(_ text: String) -> Int64? {
    let parts = text.split(separator: " ").map(String.init)
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1]), (1...31).contains(day),
      let month = months.firstIndex(of: parts[2]), let year = number(parts[3]), (1970...9999).contains(year)
    else { return nil }
    let time = parts[4].split(separator: ":").compactMap { number(String($0)) }
    guard time.count == 3, time[0] < 24, time[1] < 60, time[2] <= 60 else { return nil }
    // Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    let years = month < 2 ? year - 1 : year
    let yearOfEra = years % 400
    let dayOfYear = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = years / 400 * 146_097 + dayOfEra - 719_468
    return Int64(days * 86_400 + time[0] * 3600 + time[1] * 60 + time[2])
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func number(_ text: String) -> Int? {
    text.utf8.count <= 4 && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int(text) : nil
  }
}
