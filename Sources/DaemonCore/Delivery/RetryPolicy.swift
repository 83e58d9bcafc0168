/// When a delivery whose every route failed is tried again.
///
/// | round | 1 | 2 | 3 | 4 | 5 | 6… | after an hour |
/// |---|---|---|---|---|---|---|---|
/// | at most | 2 s | 4 s | 8 s | 16 s | 32 s | 60 s | 5 min |
///
/// Full jitter: anything between a fifth of a second and that, so that many devices behind one outage do not
/// come back together. Source: AWS Architecture Blog, "Exponential Backoff And Jitter".
package enum RetryPolicy {
  package static let first = Duration.seconds(2)
  package static let ceiling = Duration.seconds(60)
  package static let patient = Duration.seconds(300)
  package static let patience = Duration.seconds(3600)
  package static let floor = Duration.milliseconds(200)
  /// How long a refused route rests.
  package static let refusal = Duration.seconds(3600)

  /// `round` counts from 1; anything below is taken as 1. Always positive, whatever the count.
  package static func wait(round: Int, spent: Duration, fraction: Double) -> Duration {
    let doublings = min(max(round, 1) - 1, 10)
    let limit = spent >= patience ? patient : min(ceiling, first * (1 << doublings))
    return max(floor, limit * min(max(fraction, 0), 1))
  }
}
