package struct Indonesian: Phrases {
  package init() {}

  package let wearer = "Pemakai alat"
  package let unknown = "tidak diketahui"
  package let addressUnknown = "alamat tidak diketahui"
  package let positionUnknown = "posisi tidak diketahui"
  package let positionImplausible =
    "posisi tidak diketahui (penerima GPS melaporkan tempat yang tidak masuk akal)"

  package func alert(wearer: String?) -> String {
    "🆘 \(subject(wearer)) menekan tombol darurat dan membutuhkan pertolongan."
  }
  package func pressedAgain(wearer: String?) -> String {
    "🆘 \(subject(wearer)) menekan tombol darurat lagi dan membutuhkan pertolongan."
  }
  package func update(wearer: String?) -> String {
    "📍 Kabar terbaru: alarm dari \(object(wearer)) masih aktif."
  }
  package func updateAfterLate(wearer: String?) -> String {
    "📍 Kabar terbaru: alarm dari \(object(wearer)) terlambat sampai. Berikut kabar terakhirnya."
  }
  package func allClear(wearer: String?) -> String {
    "✅ Alarm berakhir: alarm dari \(object(wearer)) sudah dibatalkan pada alatnya. Jika ragu, silakan telepon."
  }
  package func drillBegins(wearer: String?) -> String {
    "🔔 LATIHAN: ini uji coba tombol darurat \(object(wearer)). Tidak ada yang membutuhkan pertolongan."
  }
  package let drillEnds = "🔔 LATIHAN: ini tadi hanya uji coba."

  package func late(wearer: String?, drill: Bool, at: String?, delay: String) -> String {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) TERLAMBAT: \(subject(wearer)) menekan tombol darurat"
    guard let at else {
      return "\(start) \(delay) sebelum pesan ini dapat dikirim; jam pada alat belum disetel."
    }
    return "\(start) pukul \(at), \(delay) sebelum pesan ini dapat dikirim."
  }
  package func lateUpdate(age: String) -> String {
    "Pesan ini terlambat: dibuat \(age) yang lalu."
  }

  package func positionUnknownLine(implausible: Bool) -> String {
    implausible
      ? "Penerima GPS melaporkan tempat yang tidak masuk akal, jadi posisi tidak diketahui."
      : "Posisi tidak diketahui: GPS belum menemukannya."
  }
  package func position(age: PositionAge, accuracy: String) -> String {
    switch age {
    case .now: "Posisi, \(accuracy):"
    case .past(let age): "Posisi \(age) yang lalu, \(accuracy):"
    case .lastKnown(let age?): "Posisi terakhir yang diketahui, \(age) yang lalu, \(accuracy):"
    case .lastKnown(nil): "Posisi terakhir yang diketahui, waktunya tidak diketahui, \(accuracy):"
    }
  }
  package let deadReckoning = "Posisi ini dihitung dari gerakan, bukan hasil pengukuran."
  package let simulated = "Menurut penerima GPS, posisi ini hanya SIMULASI."
  package func positionRemark(age: PositionAge, accuracy: String, origin: FixOrigin) -> String {
    let start =
      switch age {
      case .now: ""
      case .past(let age): "\(age) yang lalu, "
      case .lastKnown(let age?): "terakhir diketahui \(age) yang lalu, "
      case .lastKnown(nil): "terakhir diketahui, waktunya tidak diketahui, "
      }
    let end =
      switch origin {
      case .measured: ""
      case .deadReckoning: ", dihitung dari gerakan"
      case .simulated: ", SIMULASI"
      }
    return start + accuracy + end
  }

  package func accuracy(_ distance: String) -> String { "dalam radius sekitar \(distance)" }
  package let accuracyUnknown = "akurasi tidak diketahui"
  package func seconds(_ count: Int64) -> String { "\(count) detik" }
  package func minutes(_ count: Int64) -> String { "\(count) menit" }
  package func hours(_ count: Int64) -> String { "\(count) jam" }
  package func days(_ count: Int64) -> String { "\(count) hari" }

  package func address(_ address: String) -> String { "Dekat: \(address)" }
  package let decimalSeparator = ","
  package func near(distance: String, direction: CompassPoint, place: String) -> String {
    let side =
      switch direction {
      case .north: "utara"
      case .northEast: "timur laut"
      case .east: "timur"
      case .southEast: "tenggara"
      case .south: "selatan"
      case .southWest: "barat daya"
      case .west: "barat"
      case .northWest: "barat laut"
      }
    return "\(distance) di sebelah \(side) \(place)"
  }
  package func percent(_ number: Int) -> String { "\(number)%" }
  package func battery(percent: String) -> String { "Baterai: \(percent)." }

  package func pressed(at: String, first: Bool) -> String {
    "\(first ? "Pertama kali ditekan" : "Ditekan") pukul \(at)."
  }
  package func pressed(delay: String?, first: Bool) -> String {
    "\(first ? "Pertama kali ditekan" : "Ditekan") \(before(delay)); jam pada alat belum disetel."
  }
  package func timeUnknown(delay: String?) -> String {
    "\(before(delay)) (jam pada alat belum disetel)"
  }
  package func moment(_ local: CalendarParts, zone: String) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "Mei", "Jun", "Jul", "Agu", "Sep", "Okt", "Nov", "Des",
    ]
    let time = "\(padded(local.hour, to: 2)).\(padded(local.minute, to: 2))"
    return "\(time) (\(zone)), \(local.day) \(months[local.month - 1]) \(local.year)"
  }

  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "pemakai alat" }
  private func before(_ delay: String?) -> String { "\(delay ?? "sesaat") sebelum pesan ini" }
}
