/// Everything the daemon can do. The Engine decides, the shell carries out in order.
package enum Action: Hashable, Sendable {
  case log(LogLine)

  /// Put the writes on disk in one transaction; answered by `stored` or `storeFailed` with this number.
  case store(batch: Int, [StoreWrite])
  /// Drop what may go, when the store has nothing else to do. Nobody waits for it, so it has no answer.
  case prune(Pruning)
  case readHistory(ClientID, alertID: String?)
  /// Keep the configuration's text as last good. Source: DESIGN, configuration.
  case keepConfig(KeptConfig, text: String)

  case send(ExchangeID, Request, timeout: Duration, caFile: String?)
  /// A question that sends nothing to anyone; `connectsOnly` goes no further than the connection and its TLS.
  /// Answered like `send`.
  case probe(ExchangeID, Request, timeout: Duration, caFile: String?, connectsOnly: Bool)

  case openButton(ButtonSettings)
  case closeButton
  /// Leave the line's descriptor unread until the next `deadline`: it floods.
  case restButton
  /// Note in the runtime directory that the button was seen released now.
  case markReleased
  /// Take that note back: a press has been handled since.
  case markPressed
  /// Note what the line did of a press that has not counted yet, for the next run that adopts the line.
  case keepEdges([Edge])

  /// Connect to gpsd; anything older than `generation` is closed and its reports are dropped.
  case openGps(host: String, port: Int, generation: Int)
  case closeGps

  /// Find the nearest place on the list; answered by `placeFound` with this number, or never where the disk hangs.
  case searchPlaces(Int, Spot, file: String)

  /// Answered by `batteriesRead`, or never where the bus hangs.
  case readBatteries

  /// A line for a client of the control socket; `last` ends the conversation.
  case reply(ClientID, String, last: Bool)
  case notify(Notification)
  /// Stop the loop; the store is flushed first, for at most the given time.
  case exit(status: Int32)
}

/// Which last good configuration.
package enum KeptConfig: String, Hashable, Sendable {
  /// The newest that loaded.
  case loaded
  /// The newest that ran for ten minutes with its line requested.
  case proven
}

/// Source: sd_notify(3).
package enum Notification: Hashable, Sendable {
  case ready(status: String)
  case status(String)
  case reloading
  case stopping
  /// The loop made progress.
  case watchdog
}
