import CSystem
import DaemonCore
import Foundation
import Testing

@testable import soteriad

@Suite struct SignalSourceTests {
  @Test func turnsSignalsIntoRequests() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    // Programs that other tests start from this thread would inherit what the source blocks.
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let source = try SignalSource()
    // To this thread alone: the test runner's others have them unblocked.
    for signal in [SIGHUP, SIGTERM, SIGINT] { pthread_kill(pthread_self(), signal) }

    let requests = source.drain()

    #expect(Set(requests) == [.reload, .stop])
    #expect(requests.count == 3)
    #expect(source.drain().isEmpty)
    close(source.descriptor)
  }

  @Test func livesThroughABrokenPipe() throws {
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let source = try SignalSource()
    var ends: [Int32] = [0, 0]
    _ = try checked(pipe(&ends), "pipe")
    close(ends[0])

    #expect(write(ends[1], "x", 1) == -1)
    close(ends[1])
    close(source.descriptor)
  }
}
