#include "CGps.h"

#include <errno.h>
#include <fcntl.h>
#include <gps.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#if GPSD_API_MAJOR_VERSION < 11 || GPSD_API_MAJOR_VERSION > 14
#error "this libgps API has not been read: compare struct gps_fix_t and gps_unpack, then extend the range"
#endif

// A SKY report of a receiver with hundreds of satellites has 20 KB; anything longer is no gpsd.
#define LINE_LIMIT 65536
#define READ_LIMIT 16384

struct sot_gps {
  struct gps_data_t data;
  size_t length;    // bytes in `line`
  size_t consumed;  // of which these have been handed out
  bool skipping;    // within a line that was too long
  char line[LINE_LIMIT + 1];
};

// One without a receiver may be silent for days: that its host has gone without a word shows only in this way.
static void keep_alive(int fd) {
  static const int on = 1, idle_seconds = 60, interval_seconds = 15, count = 4;
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof idle_seconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_seconds, sizeof interval_seconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

sot_gps *sot_gps_open(const char *host, const char *port, char *reason, size_t reason_size) {
  // Most of its 90 kB is never touched; in the heap calloc would touch it all.
  sot_gps *gps = mmap(NULL, sizeof *gps, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (gps == MAP_FAILED) {
    snprintf(reason, reason_size, "out of memory");
    return NULL;
  }
  errno = 0;
  if (gps_open(host, port, &gps->data) != 0) {
    // gps_open leaves a code of gpsd's own in errno.
    snprintf(reason, reason_size, "%s", gps_errstr(errno));
    munmap(gps, sizeof *gps);
    return NULL;
  }
  gps_stream(&gps->data, WATCH_ENABLE | WATCH_JSON, NULL);
  int flags = fcntl(gps->data.gps_fd, F_GETFL);
  fcntl(gps->data.gps_fd, F_SETFL, flags | O_NONBLOCK);
  fcntl(gps->data.gps_fd, F_SETFD, FD_CLOEXEC);
  keep_alive((int)gps->data.gps_fd);
  return gps;
}

void sot_gps_close(sot_gps *gps) {
  if (!gps) return;
  gps_close(&gps->data);
  munmap(gps, sizeof *gps);
}

int sot_gps_descriptor(const sot_gps *gps) { return (int)gps->data.gps_fd; }

static double known(double value) { return isfinite(value) ? value : NAN; }

static void fill(const struct gps_data_t *data, sot_gps_report *report) {
  const struct gps_fix_t *fix = &data->fix;
  memset(report, 0, sizeof *report);
  snprintf(report->device, sizeof report->device, "%s", data->dev.path);
  report->mode = fix->mode;
  report->latitude = known(fix->latitude);
  report->longitude = known(fix->longitude);
  report->eph = known(fix->eph);
  report->altitude_msl = known(fix->altMSL);
  report->speed = known(fix->speed);
  report->track = known(fix->track);
  report->time = fix->time.tv_sec > 0 ? (double)fix->time.tv_sec + (double)fix->time.tv_nsec / 1e9 : NAN;
  // The numbers, not the names: 3.23.1 renamed them. Source: gpsd_json(5), TPV status.
  report->dead_reckoning = fix->status == 5 || fix->status == 6;
  report->simulated = fix->status == 8;
}

// gps_unpack says nothing of a malformed line, leaves half a report of it, stops at a key newer than itself, and
// spins for ever on some lines (seen with 3.22: `{"class":"TPV","new":{}}{"class":"VERSION"}`). So the line is
// checked here, and libgps gets an object that holds nothing but well-formed values of the keys we want.

static const char *skip_spaces(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') at++;
  return at;
}

/// Past the string that begins here, or NULL. No attention is paid to what an escape means.
static const char *skip_string(const char *at) {
  if (*at != '"') return NULL;
  for (at++; *at != '"'; at++) {
    if ((unsigned char)*at < 0x20) return NULL;
    if (*at == '\\' && (unsigned char)*++at < 0x20) return NULL;
  }
  return at + 1;
}

static const char *skip_digits(const char *at) {
  if (*at < '0' || *at > '9') return NULL;
  while (*at >= '0' && *at <= '9') at++;
  return at;
}

static const char *skip_number(const char *at) {
  if (*at == '-') at++;
  if (!(at = skip_digits(at))) return NULL;
  if (*at == '.' && !(at = skip_digits(at + 1))) return NULL;
  if (*at == 'e' || *at == 'E') {
    at++;
    at = skip_digits(at + (*at == '+' || *at == '-'));
  }
  return at;
}

static const char *skip_value(const char *at, int depth);

/// Past the members of an array or object, whose bracket has been passed.
static const char *skip_members(const char *at, bool keyed, int depth) {
  const char end = keyed ? '}' : ']';
  at = skip_spaces(at);
  if (*at == end) return at + 1;
  for (;;) {
    if (keyed) {
      if (!(at = skip_string(skip_spaces(at)))) return NULL;
      at = skip_spaces(at);
      if (*at++ != ':') return NULL;
    }
    if (!(at = skip_value(skip_spaces(at), depth))) return NULL;
    at = skip_spaces(at);
    if (*at == end) return at + 1;
    if (*at++ != ',') return NULL;
  }
}

static const char *skip_value(const char *at, int depth) {
  if (depth > 8) return NULL;
  if (*at == '"') return skip_string(at);
  if (*at == '{' || *at == '[') return skip_members(at + 1, *at == '{', depth + 1);
  if (*at >= '0' && *at <= '9') return skip_number(at);
  if (strncmp(at, "true", 4) == 0 || strncmp(at, "null", 4) == 0) return at + 4;
  if (strncmp(at, "false", 5) == 0) return at + 5;
  // What printf(3) makes of an unknown number in an old gpsd or a relay: that value is lost, not the place beside it.
  const char *word = at + (*at == '-');
  if (strncasecmp(word, "nan", 3) == 0 || strncasecmp(word, "inf", 3) == 0) return word + 3;
  return skip_number(at);
}

static bool is_one_of(const char *key, size_t length, const char *const *wanted) {
  for (; *wanted; wanted++)
    if (**wanted == *key && strncmp(*wanted, key, length) == 0 && (*wanted)[length] == 0) return true;
  return false;
}

enum { plain_size = 1024 };

/// 1 and the report in `plain`, 0 for another object, -1 for rubbish.
static int simplify(const char *line, char *plain) {
  static const char *const numbers[] = {"mode", "lat", "lon", "eph", "altMSL", "speed", "track", "status", NULL};
  static const char *const texts[] = {"device", "time", NULL};
  static const char head[] = "{\"class\":\"TPV\"";
  const char *at = skip_spaces(line);
  if (*at != '{') return -1;
  memcpy(plain, head, sizeof head);
  char *end = plain + sizeof head - 1;
  bool has_class = false, is_report = false;
  for (at = skip_spaces(at + 1); *at != '}';) {
    const char *key = at;
    if (!(at = skip_string(at))) return -1;
    size_t key_length = (size_t)(at - key);  // With its quotes.
    at = skip_spaces(at);
    if (*at != ':') return -1;
    const char *value = skip_spaces(at + 1);
    if (!(at = skip_value(value, 1))) return -1;
    size_t length = (size_t)(at - value);
    if (key_length == 7 && memcmp(key, "\"class\"", 7) == 0 && !has_class) {
      has_class = true;
      is_report = length == 5 && memcmp(value, "\"TPV\"", 5) == 0;
    } else if (is_one_of(key + 1, key_length - 2, *value == '"' ? texts : numbers) && length < 100 &&
               (*value == '"' || skip_number(value) == at)) {
      // A report has ten such keys; one that repeats them to fill the room is none.
      if ((size_t)(end - plain) + key_length + length + 4 > plain_size) return -1;
      *end++ = ',';
      memcpy(end, key, key_length);
      end += key_length;
      *end++ = ':';
      memcpy(end, value, length);
      end += length;
    }
    at = skip_spaces(at);
    if (*at == ',') {
      at = skip_spaces(at + 1);
      if (*at != '"') return -1;
    } else if (*at != '}') {
      return -1;
    }
  }
  if (*skip_spaces(at + 1) != 0) return -1;
  memcpy(end, "}", 2);
  return is_report ? 1 : has_class ? 0 : -1;
}

static sot_gps_event judged(sot_gps *gps, const char *line, sot_gps_report *report) {
  char plain[plain_size];
  int kind = simplify(line, plain);
  if (kind != 1) return kind == 0 ? SOT_GPS_OTHER : SOT_GPS_RUBBISH;
  // Fields accumulate between reports and a missing key leaves the old value: a report stands for itself.
  gps_clear_fix(&gps->data.fix);
  gps->data.dev.path[0] = 0;
  gps_unpack(plain, &gps->data);
  fill(&gps->data, report);
  return SOT_GPS_REPORT;
}

// Reads lines itself and has libgps parse them: gps_read would keep the last of several reports only, and
// its recv blocks.
sot_gps_event sot_gps_next(sot_gps *gps, sot_gps_report *report, bool *may_read) {
  for (;;) {
    char *start = gps->line + gps->consumed;
    size_t left = gps->length - gps->consumed;
    char *end = memchr(start, '\n', left);
    if (end) {
      *end = 0;
      gps->consumed = (size_t)(end - gps->line) + 1;
      if (gps->skipping) {
        gps->skipping = false;
        return SOT_GPS_RUBBISH;
      }
      if (end > start && end[-1] == '\r') end[-1] = 0;
      if (*start == 0) continue;
      if (memchr(start, 0, (size_t)(end - start)) && strlen(start) + 1 < (size_t)(end - start))
        return SOT_GPS_RUBBISH;
      return judged(gps, start, report);
    }
    memmove(gps->line, start, left);
    gps->consumed = 0;
    gps->length = left;
    if (left == LINE_LIMIT) {
      gps->skipping = true;
      gps->length = 0;
    }
    if (!*may_read) return SOT_GPS_NOTHING;
    *may_read = false;
    size_t room = LINE_LIMIT - gps->length;
    ssize_t size = recv(gps->data.gps_fd, gps->line + gps->length, room < READ_LIMIT ? room : READ_LIMIT, MSG_DONTWAIT);
    if (size == 0) return SOT_GPS_GONE;
    if (size < 0) {
      return errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK ? SOT_GPS_NOTHING : SOT_GPS_GONE;
    }
    gps->length += (size_t)size;
  }
}
