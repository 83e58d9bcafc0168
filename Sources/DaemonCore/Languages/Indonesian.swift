package struct Indonesian: Phrases {
  package init() {}

  package var wearer: String { "Pemakai alat" }
  package var unknown: Words { "tidak diketahui" }
  package var addressUnknown: Words { "alamat tidak diketahui" }
  package var positionUnknown: Words { "posisi tidak diketahui" }
  package var positionImplausible: Words {
    "posisi tidak diketahui (penerima GPS melaporkan tempat yang tidak masuk akal)"
  }

  package func alert(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) menekan tombol darurat dan membutuhkan pertolongan."
  }
  package func pressedAgain(wearer: String?) -> Words {
    "🆘 \(subject(wearer)) menekan tombol darurat lagi dan membutuhkan pertolongan."
  }
  package func update(wearer: String?) -> Words {
    "📍 Kabar terbaru: alarm dari \(object(wearer)) masih aktif."
  }
  package func updateAfterLate(wearer: String?) -> Words {
    "📍 Kabar terbaru: alarm dari \(object(wearer)) terlambat sampai. Berikut kabar terakhirnya."
  }
  package func allClear(wearer: String?) -> Words {
    "✅ Alarm berakhir: alarm dari \(object(wearer)) sudah dibatalkan pada alatnya. Jika ragu, silakan telepon."
  }
  package func drillBegins(wearer: String?) -> Words {
    "🔔 LATIHAN: ini uji coba tombol darurat \(object(wearer)). Tidak ada yang membutuhkan pertolongan."
  }
  package var drillEnds: String { "🔔 LATIHAN: ini tadi hanya uji coba." }

  package func late(wearer: String?, drill: Bool, at: Words?, delay: Words) -> Words {
    let sign = drill ? "🔔" : "🆘"
    let start = "\(sign) TERLAMBAT: \(subject(wearer)) menekan tombol darurat"
    guard let at else {
      return "\(start) \(delay) sebelum pesan ini dapat dikirim; jam pada alat belum disetel."
    }
    return "\(start) pukul \(at), \(delay) sebelum pesan ini dapat dikirim."
  }
  package func lateUpdate(age: Words) -> Words {
    "Pesan ini terlambat: dibuat \(age) yang lalu."
  }

  package func positionUnknownLine(implausible: Bool) -> Words {
    implausible
      ? "Penerima GPS melaporkan tempat yang tidak masuk akal, jadi posisi tidak diketahui."
      : "Posisi tidak diketahui: GPS belum menemukannya."
  }
  package func position(age: PositionAge, accuracy: Words) -> Words {
    switch age {
    case .now: "Posisi, \(accuracy):"
    case .past(let age): "Posisi \(age) yang lalu, \(accuracy):"
    case .lastKnown(let age?): "Posisi terakhir yang diketahui, \(age) yang lalu, \(accuracy):"
    case .lastKnown(nil): "Posisi terakhir yang diketahui, waktunya tidak diketahui, \(accuracy):"
    }
  }
  package var deadReckoning: String { "Posisi ini dihitung dari gerakan, bukan hasil pengukuran." }
  package var simulated: String { "Menurut penerima GPS, posisi ini hanya SIMULASI." }
  package func positionRemark(age: PositionAge, accuracy: Words, origin: FixOrigin) -> Words {
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
    return "\(start)\(accuracy)\(end)"
  }

  package func accuracy(metres: Double) -> Words { "dalam radius sekitar \(distance: metres)" }
  package var accuracyUnknown: Words { "akurasi tidak diketahui" }
  package func seconds(_ count: Int64) -> Words { "\(count) detik" }
  package func minutes(_ count: Int64) -> Words { "\(count) menit" }
  package func hours(_ count: Int64) -> Words { "\(count) jam" }
  package func days(_ count: Int64) -> Words { "\(count) hari" }

  package func address(_ address: String) -> Words { "Dekat: \(address)" }
  package var decimalSeparator: String { "," }
  package func near(distance: Words, direction: CompassPoint, place: String) -> Words {
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
  package func percent(_ number: Int) -> Words { "\(number)%" }
  package func battery(percent: Words) -> Words { "Baterai: \(percent)." }

  package func pressed(at: Words, first: Bool) -> Words {
    "\(first ? "Pertama kali ditekan" : "Ditekan") pukul \(at)."
  }
  package func pressed(delay: Words?, first: Bool) -> Words {
    "\(first ? "Pertama kali ditekan" : "Ditekan") \(before(delay)); jam pada alat belum disetel."
  }
  package func timeUnknown(delay: Words?) -> Words {
    "\(before(delay)) (jam pada alat belum disetel)"
  }
  package func moment(_ local: CalendarParts) -> Words {
    let time: Words = "\(local.hour, width: 2).\(local.minute, width: 2)"
    return "\(time) (\(zone: local)), \(local.day) \(Self.months[local.month - 1]) \(local.year)"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "Mei", "Jun", "Jul", "Agu", "Sep", "Okt", "Nov", "Des",
  ]
  private func subject(_ name: String?) -> String { name ?? wearer }
  private func object(_ name: String?) -> String { name ?? "pemakai alat" }
  private func before(_ delay: Words?) -> Words { "\(delay ?? "sesaat") sebelum pesan ini" }
}
