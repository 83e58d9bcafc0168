import DaemonCore
import Glibc

/// Source: sysexits.h, EX_CONFIG.
let configurationStatus: Int32 = 78

func checkConfiguration(_ path: String, online: Bool) -> Int32 {
  // Only the service's own file has to be readable for it.
  let user = path == Invocation.defaultConfig ? ServiceUser() : nil
  let result = ConfigFile.decode(path, by: .checker(for: user)).result
  for problem in result.problems { put(problem.line(file: path)) }
  guard let config = result.config else { return configurationStatus }
  guard online else { return 0 }
  let verdict = OnlineCheck(config: config).run()
  for line in verdict.lines { put(line) }
  return verdict.isWell ? 0 : 1
}

func runDaemon(_ invocation: Invocation) -> Int32 {
  // Positions and tokens are nobody else's; the control socket sets its own mode.
  umask(0o077)
  do throws(SystemError) {
    return try Daemon(configPath: invocation.config, directories: invocation.directories).run()
  } catch {
    return fail("\(error)")
  }
}

func run(_ arguments: [String]) -> Int32 {
  do throws(Invocation.UsageError) {
    let invocation = try Invocation(arguments)
    switch invocation.verb {
    case .run: return runDaemon(invocation)
    case .check(let online): return checkConfiguration(invocation.config, online: online)
    case .ask(let command, let json):
      return ControlClient(directories: invocation.directories, command: command, json: json).run()
    case .schema: put(ConfigSchema.json.pretty)
    case .version: put("soteriad \(soteriadVersion)\n\(dataSources)")
    case .help: put(Invocation.help)
    }
    return 0
  } catch {
    _ = fail(error.text)
    _ = fail("see 'soteriad --help'")
    return 2
  }
}

holdStandardDescriptors()
exit(run(Array(CommandLine.arguments.dropFirst())))
