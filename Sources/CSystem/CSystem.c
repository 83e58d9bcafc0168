#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/magic.h>
#include <limits.h>
#include <malloc.h>
#include <net/if.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static int64_t clock_ns(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return 0;
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t sot_boottime_ns(void) { return clock_ns(CLOCK_BOOTTIME); }
int64_t sot_monotonic_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
int64_t sot_realtime_ns(void) { return clock_ns(CLOCK_REALTIME); }

int sot_utc_offset(int64_t unix_seconds) {
  time_t t = (time_t)unix_seconds;
  struct tm parts;
  return localtime_r(&t, &parts) ? (int)parts.tm_gmtoff : 0;
}

bool sot_clock_is_synchronised(void) {
  struct timex state = {.modes = 0};
  int result = adjtimex(&state);
  if (result >= 0) return result != TIME_ERROR && !(state.status & STA_UNSYNC);
  // The sandbox refuses the question. Source of the mark: systemd-timesyncd.service(8).
  return access("/run/systemd/timesync/synchronized", F_OK) == 0;
}

bool sot_system_user(const char *name, uint32_t *user, uint32_t *group) {
  FILE *file = fopen("/etc/passwd", "re");
  if (!file) return false;
  struct passwd *entry;
  do {
    entry = fgetpwent(file);
  } while (entry && strcmp(entry->pw_name, name) != 0);
  if (entry) {
    *user = entry->pw_uid;
    *group = entry->pw_gid;
  }
  fclose(file);
  return entry != NULL;
}

int sot_set_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

bool sot_set_add(int set, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

int sot_set_ready(int set, int *fds) {
  struct epoll_event events[SOT_SET_LIMIT];
  int count = epoll_wait(set, events, SOT_SET_LIMIT, 0);
  for (int i = 0; i < count; i++) fds[i] = events[i].data.fd;
  return count < 0 ? 0 : count;
}

int sot_timer_create(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC); }

int sot_timer_set(int fd, int64_t boottime_ns) {
  struct itimerspec when = {{0, 0}, {0, 0}};
  if (boottime_ns != 0) {
    // An instant of zero or before would disarm; what is overdue fires at once.
    int64_t at = boottime_ns < 1 ? 1 : boottime_ns;
    when.it_value.tv_sec = at / 1000000000;
    when.it_value.tv_nsec = at % 1000000000;
  }
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

int sot_clock_step_create(void) {
  int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (fd >= 0) sot_clock_step_rearm(fd);
  return fd;
}

bool sot_clock_step_rearm(int fd) {
  uint64_t count;
  bool stepped = read(fd, &count, sizeof count) < 0 && errno == ECANCELED;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  // Far enough away never to fire; it exists to be cancelled.
  struct itimerspec when = {{0, 0}, {now.tv_sec + (time_t)10 * 365 * 86400, 0}};
  timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &when, NULL);
  return stepped;
}

void sot_counter_drain(int fd) {
  uint64_t count;
  while (read(fd, &count, sizeof count) < 0 && errno == EINTR) {
  }
}

int sot_event_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }
int sot_event_create_blocking(void) { return eventfd(0, EFD_CLOEXEC); }

void sot_event_signal(int fd) {
  uint64_t one = 1;
  while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

int sot_signals_create(void) {
  signal(SIGPIPE, SIG_IGN);
  // A file that may grow no further is a full disk, not the end.
  signal(SIGXFSZ, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) return -1;
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

int sot_signals_next(int fd) {
  struct signalfd_siginfo info;
  ssize_t size;
  do size = read(fd, &info, sizeof info);
  while (size < 0 && errno == EINTR);
  return size == sizeof info ? (int)info.ssi_signo : 0;
}

int sot_directory_watch(const char *directory, bool writes) {
  int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return -1;
  uint32_t events = IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVE | (writes ? IN_CLOSE_WRITE : 0);
  if (inotify_add_watch(fd, directory, events) < 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

bool sot_directory_changed(int fd, const char *prefix) {
  char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
  bool changed = false;
  ssize_t size;
  // Bounded: a directory that changes without end must not hold the loop.
  for (int rounds = 0; rounds < 16 && (size = read(fd, buffer, sizeof buffer)) > 0; rounds++) {
    for (char *at = buffer; at < buffer + size;) {
      struct inotify_event *event = (struct inotify_event *)at;
      if (event->mask & IN_Q_OVERFLOW) changed = true;
      if (event->len && strncmp(event->name, prefix, strlen(prefix)) == 0) changed = true;
      at += sizeof *event + event->len;
    }
  }
  return changed;
}

int sot_network_watch(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return -1;
  struct sockaddr_nl address = {
      .nl_family = AF_NETLINK,
      .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE,
  };
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

// FNV-1a. Source: Fowler, Noll, Vo.
static uint64_t mixed(uint64_t hash, const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3;
  return hash;
}

// What is the same whenever a message about the same thing is repeated: not lifetimes and counters.
static uint64_t attributes_mixed(uint64_t hash, struct rtattr *attribute, int left, const unsigned short *types) {
  for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left))
    for (const unsigned short *type = types; *type; type++)
      if (attribute->rta_type == *type) hash = mixed(hash, attribute, attribute->rta_len);
  return hash;
}

static bool network_change(struct nlmsghdr *head, sot_network_change *change) {
  uint64_t hash = 0xcbf29ce484222325;
  memset(change, 0, sizeof *change);
  switch (head->nlmsg_type) {
    case RTM_NEWLINK:
    case RTM_DELLINK: {
      struct ifinfomsg *link = NLMSG_DATA(head);
      if (link->ifi_flags & IFF_LOOPBACK) return false;
      change->is_link = true;
      change->link = link->ifi_index;
      change->is_present = head->nlmsg_type == RTM_NEWLINK && (link->ifi_flags & IFF_RUNNING);
      change->key = mixed(hash, &link->ifi_index, sizeof link->ifi_index);
      return true;
    }
    case RTM_NEWADDR:
    case RTM_DELADDR: {
      struct ifaddrmsg *address = NLMSG_DATA(head);
      // Until it is known to be unique it cannot be used; that it can is told by another message.
      if (head->nlmsg_type == RTM_NEWADDR && (address->ifa_flags & IFA_F_TENTATIVE)) return false;
      static const unsigned short types[] = {IFA_ADDRESS, IFA_LOCAL, 0};
      address->ifa_flags = 0;
      hash = mixed(hash, address, sizeof *address);
      change->link = (int)address->ifa_index;
      change->is_present = head->nlmsg_type == RTM_NEWADDR;
      change->key = attributes_mixed(hash, IFA_RTA(address), (int)IFA_PAYLOAD(head), types);
      return true;
    }
    case RTM_NEWROUTE:
    case RTM_DELROUTE: {
      struct rtmsg *route = NLMSG_DATA(head);
      static const unsigned short types[] = {RTA_DST, RTA_GATEWAY, RTA_OIF, RTA_TABLE, 0};
      route->rtm_flags = 0;
      hash = mixed(hash, route, sizeof *route);
      int left = (int)RTM_PAYLOAD(head);
      for (struct rtattr *it = RTM_RTA(route); RTA_OK(it, left); it = RTA_NEXT(it, left))
        if (it->rta_type == RTA_OIF) memcpy(&change->link, RTA_DATA(it), sizeof change->link);
      change->is_present = head->nlmsg_type == RTM_NEWROUTE;
      change->key = attributes_mixed(hash, RTM_RTA(route), (int)RTM_PAYLOAD(head), types);
      return true;
    }
    default: return false;
  }
}

int sot_network_changes(int fd, sot_network_change *changes, int limit) {
  char buffer[8192] __attribute__((aligned(NLMSG_ALIGNTO)));
  for (;;) {
    ssize_t size = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (size < 0 && errno == ENOBUFS) return -1;
    if (size <= 0) return 0;
    unsigned left = (unsigned)size;
    int count = 0;
    for (struct nlmsghdr *head = (struct nlmsghdr *)buffer; NLMSG_OK(head, left) && count < limit;
         head = NLMSG_NEXT(head, left))
      if (network_change(head, &changes[count])) count++;
    if (count > 0) return count;
  }
}

static int unix_address(const char *path, struct sockaddr_un *address, socklen_t *length) {
  size_t size = strlen(path);
  if (size == 0 || size >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, size);
  *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size + 1);
  if (path[0] == '@') {
    address->sun_path[0] = 0;
    *length -= 1;
  }
  return 0;
}

int sot_notify_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

int sot_notify(int fd, const char *path, const uint8_t *text, size_t length, int passed) {
  struct sockaddr_un address;
  socklen_t address_length;
  if (unix_address(path, &address, &address_length) != 0) return -1;
  struct iovec part = {.iov_base = (void *)text, .iov_len = length};
  union {
    struct cmsghdr head;
    char space[CMSG_SPACE(sizeof(int))];
  } control;
  memset(&control, 0, sizeof control);
  struct msghdr message = {
      .msg_name = &address, .msg_namelen = address_length, .msg_iov = &part, .msg_iovlen = 1};
  if (passed >= 0) {
    message.msg_control = control.space;
    message.msg_controllen = sizeof control.space;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(head), &passed, sizeof(int));
  }
  ssize_t sent;
  do sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -1 : 0;
}

bool sot_is_in_memory(const char *path) {
  struct statfs info;
  if (statfs(path, &info) != 0) return false;
  return info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC;
}

int sot_errno(void) { return errno; }

int sot_unix_listen(const char *path, uint32_t mode) {
  struct sockaddr_un address;
  socklen_t length;
  if (unix_address(path, &address, &length) != 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  // The socket's own mode, cut by the umask, is what bind gives the file: never wider than wanted, not even for
  // a moment. A umask of our own would be every thread's.
  bool is_bound = fchmod(fd, (mode_t)mode) == 0 && bind(fd, (struct sockaddr *)&address, length) == 0;
  if (is_bound && chmod(path, (mode_t)mode) == 0 && listen(fd, 64) == 0) return fd;
  int saved = errno;
  if (is_bound) unlink(path);
  close(fd);
  errno = saved;
  return -1;
}

int sot_unix_connect(const char *path) {
  struct sockaddr_un address;
  socklen_t length;
  if (unix_address(path, &address, &length) != 0) return -1;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  // A server that hangs accepts nobody: connect(2) would wait for it for ever. Source: unix(7), socket(7).
  struct timeval limit = {.tv_sec = 10};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  int result;
  do result = connect(fd, (struct sockaddr *)&address, length);
  while (result < 0 && errno == EINTR);
  if (result == 0) return fd;
  int saved = errno;
  close(fd);
  errno = saved;
  return -1;
}

int sot_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int sot_open(const char *path, int flags, uint32_t mode) { return open(path, flags, (mode_t)mode); }

int sot_set_nonblocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int sot_set_cloexec(int fd) { return fcntl(fd, F_SETFD, FD_CLOEXEC); }

void sot_malloc_trim(void) { malloc_trim(0); }

void sot_malloc_frugal(void) {
  mallopt(M_ARENA_MAX, 1);
  // Fixed: else one large block that was freed makes later ones stay.
  mallopt(M_MMAP_THRESHOLD, 65536);
  mallopt(M_TRIM_THRESHOLD, 65536);
}

bool sot_can_read_as(uint32_t user, uint32_t group, const char *path) {
  gid_t groups[NGROUPS_MAX], one = group;
  int count = getgroups(NGROUPS_MAX, groups);
  // The system call changes this thread; glibc's function would change them all.
  if (count < 0 || syscall(SYS_setgroups, 1, &one) != 0) return true;
  int own_group = setfsgid(group), own_user = setfsuid(user);
  bool can = faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0;
  setfsuid((uid_t)own_user);
  setfsgid((gid_t)own_group);
  syscall(SYS_setgroups, count, groups);
  return can;
}
