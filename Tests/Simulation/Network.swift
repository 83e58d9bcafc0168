import DaemonCore

/// The network between the device and the services, and how each of those fares.
struct Network {
  var isUp = true
  var doNamesResolve = true
  var weather: [Service: Weather] = [:]

  func answer(of service: Service, isQuestion: Bool, _ dice: inout Dice) -> Answer {
    if !isUp { return Answer(.connecting, after: dice.within(1...3000)) }
    if !doNamesResolve { return Answer(.resolving, after: dice.happens(50) ? 8000 : 20) }
    return service.answer(in: weather[service] ?? .fine, isQuestion: isQuestion, &dice)
  }

  func answerOfPlaces(_ dice: inout Dice) -> Answer {
    isUp && doNamesResolve ? Places.answer(&dice) : Answer(.resolving, after: 8000)
  }
}
