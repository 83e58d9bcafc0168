// Covers: DaemonCore/Whereabouts/GeocoderAnswer.swift
// Covers: DaemonCore/Whereabouts/GeocoderQuestion.swift
@testable import DaemonCore

/// A geocoder's answer: a character of choices, the status in three digits, a line for `Retry-After`, and the body.
/// Whatever it says, what gets into a message is one short line of text.
func fuzz(_ bytes: [UInt8]) {
  var input = Input(bytes)
  let choices = input.byte()
  let status = Int(String(decoding: input.bytes(3), as: UTF8.self)) ?? 200
  let wait = input.text(upTo: 0x0A)
  let body = input.remainder()
  let response = Response(
    status: status, headers: wait.isEmpty ? [] : [Header("retry-after", wait)],
    body: Array(body.prefix(Response.bodyLimit)), truncated: body.count > Response.bodyLimit)
  let service: GeocoderService = choices & 1 == 0 ? .nominatim : .photon
  let question = GeocoderQuestion(
    spot: Spot(latitude: -6.1754, longitude: 106.8272), accuracy: accuracies[choices >> 1 & 3],
    language: .english)

  switch GeocoderAnswer(response, to: question, from: service) {
  case .address(let text):
    require(response.isSuccess && !response.isWebPage, "a refusal is taken for an address")
    require(!text.isEmpty, "an empty address")
    require(text.utf16.count <= GeocoderAnswer.longest, "an address that is too long: \(text)")
    require(text.onOneLine == text, "an address with control characters or line breaks: \(text)")
  case .nothing: require(response.isSuccess, "a refusal is taken for a place without an address")
  case .failed(let reason, let after):
    require(reason.utf8.count < 1000, "an endless reason")
    require(reason.onOneLine == reason, "a reason with control characters or line breaks: \(reason)")
    require(after.map { $0 >= .zero } ?? true, "a wait in the past")
  }
  var settings = GeocoderSettings()
  settings.url = "https://h.example/\(wait)"
  require(question.request(service, settings).url.contains("lat=-6.1754"), "a question without its place")
}

private let accuracies: [Double?] = [nil, 200, 1500, 9000]
