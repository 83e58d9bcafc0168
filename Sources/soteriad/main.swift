import DaemonCore
