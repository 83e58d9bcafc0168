// What Swift cannot call by itself: calls that are missing from the Glibc module, variadic, or macros.
#ifndef SOTERIA_CSYSTEM_H
#define SOTERIA_CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Nanoseconds of the clock; CLOCK_BOOTTIME, CLOCK_MONOTONIC, CLOCK_REALTIME. Source: clock_gettime(2).
int64_t sot_boottime_ns(void);
int64_t sot_monotonic_ns(void);
int64_t sot_realtime_ns(void);

// Seconds east of UTC of the local time zone at that moment. Source: localtime_r(3).
int sot_utc_offset(int64_t unix_seconds);

// Whether the kernel's clock is disciplined: adjtimex(2) without STA_UNSYNC.
bool sot_clock_is_synchronised(void);

// A non-blocking timerfd on CLOCK_BOOTTIME, -1 and errno. Source: timerfd_create(2).
int sot_timer_create(void);
// Fires at that instant of CLOCK_BOOTTIME; 0 disarms.
int sot_timer_set(int fd, int64_t boottime_ns);
// A non-blocking timerfd that never fires but reports every setting of the wall clock by ECANCELED.
int sot_clock_step_create(void);
// Waits for the next setting of the clock. Returns whether one had happened since the last call.
bool sot_clock_step_rearm(int fd);
// Reads and drops the eight-byte counter of a timerfd or eventfd.
void sot_counter_drain(int fd);

// A user of /etc/passwd, where sysusers.d puts those of services, and its group. Asking every name service, as
// getpwnam does, would load and keep their libraries. Source: fgetpwent(3).
bool sot_system_user(const char *name, uint32_t *user, uint32_t *group);

// A set of descriptors that is readable when one of them is, -1 and errno. Source: epoll(7).
int sot_set_create(void);
bool sot_set_add(int set, int fd);
// Fills in those that are readable, at most SOT_SET_LIMIT; returns how many.
enum { SOT_SET_LIMIT = 16 };
int sot_set_ready(int set, int *fds);

// A non-blocking eventfd, -1 and errno; sot_event_signal makes it readable. Source: eventfd(2).
int sot_event_create(void);
// The same, of which sot_counter_drain waits until it is readable.
int sot_event_create_blocking(void);
void sot_event_signal(int fd);

// Blocks HUP, TERM and INT and returns a non-blocking signalfd for them; ignores PIPE and XFSZ. Source: signalfd(2).
int sot_signals_create(void);
// The next pending signal's number, 0 when there is none.
int sot_signals_next(int fd);

// A non-blocking inotify watch for entries that come, go or change in `directory`. Source: inotify(7).
int sot_directory_watch(const char *directory, bool writes);
// Drains the events; returns whether one was about an entry whose name begins with `prefix`.
bool sot_directory_changed(int fd, const char *prefix);

// A non-blocking rtnetlink socket for links and addresses. Source: rtnetlink(7).
int sot_network_watch(void);
// A link that runs, or an address or route that can be used; or that one is no more.
typedef struct {
  uint64_t key;  // The same for the same thing told again.
  int link;      // The number of its interface.
  bool is_link, is_present;
} sot_network_change;
// Reads at most `limit` changes, of which a message has at most one; returns their number, 0 when there are no more,
// and -1 when messages were lost: anything may have come or gone. Loopback's link is left out.
int sot_network_changes(int fd, sot_network_change *changes, int limit);

// A socket for sot_notify; -1 and errno.
int sot_notify_socket(void);
// Sends one datagram to the service manager, with a descriptor unless `passed` is -1. A leading '@' means an
// abstract address. Never blocks; returns 0, or -1 and errno. Source: sd_notify(3).
int sot_notify(int fd, const char *address, const uint8_t *text, size_t length, int passed);

// Whether that user, in that group alone, could read the path; true where we may not find out. Only for root. Tried,
// not computed: directories on the way and access lists count too. No other thread is touched.
bool sot_can_read_as(uint32_t user, uint32_t group, const char *path);

// Whether the path is on a file system that lives in memory (tmpfs, ramfs). Source: statfs(2).
bool sot_is_in_memory(const char *path);

// errno of this thread.
int sot_errno(void);

// Makes a listening Unix socket of that mode, or connects to one; -1 and errno. Path length is checked.
// Connecting, and each send after it, waits for at most 10 s: EAGAIN.
int sot_unix_listen(const char *path, uint32_t mode);
int sot_unix_connect(const char *path);
int sot_accept(int fd);

// open(2) with a mode, fcntl(2) with an argument: variadic in C.
int sot_open(const char *path, int flags, uint32_t mode);
int sot_set_nonblocking(int fd);
int sot_set_cloexec(int fd);

// One heap for all threads: the second thread's own would cost memory that is never given back.
void sot_malloc_frugal(void);
// Gives the pages that hold nothing back to the kernel. Source: malloc_trim(3).
void sot_malloc_trim(void);

#endif
