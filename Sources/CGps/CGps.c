#include "CGps.h"

#include <errno.h>
#include <fcntl.h>
#include <gps.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if GPSD_API_MAJOR_VERSION < 11 || GPSD_API_MAJOR_VERSION > 14
#error "this libgps API has not been read: compare struct gps_fix_t and gps_unpack, then extend the range"
#endif

// A SKY report of a receiver with hundreds of satellites has 20 KB; anything longer is no gpsd.
#define LINE_LIMIT 65536

struct sot_gps {
  struct gps_data_t data;
  size_t length;    // bytes in `line`
  size_t consumed;  // of which these have been handed out
  bool skipping;    // within a line that was too long
  char line[LINE_LIMIT + 1];
};

sot_gps *sot_gps_open(const char *host, const char *port, char *reason, size_t reason_size) {
  sot_gps *gps = calloc(1, sizeof *gps);
  if (!gps) {
    snprintf(reason, reason_size, "out of memory");
    return NULL;
  }
  errno = 0;
  if (gps_open(host, port, &gps->data) != 0) {
    // gps_open leaves a code of gpsd's own in errno.
    snprintf(reason, reason_size, "%s", gps_errstr(errno));
    free(gps);
    return NULL;
  }
  gps_stream(&gps->data, WATCH_ENABLE | WATCH_JSON, NULL);
  int flags = fcntl(gps->data.gps_fd, F_GETFL);
  fcntl(gps->data.gps_fd, F_SETFL, flags | O_NONBLOCK);
  fcntl(gps->data.gps_fd, F_SETFD, FD_CLOEXEC);
  return gps;
}

void sot_gps_close(sot_gps *gps) {
  if (!gps) return;
  gps_close(&gps->data);
  free(gps);
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
  report->time = fix->time.tv_sec > 0 ? (double)fix->time.tv_sec : NAN;
  // The numbers, not the names: 3.23.1 renamed them. Source: gpsd_json(5), TPV status.
  report->dead_reckoning = fix->status == 5 || fix->status == 6;
  report->simulated = fix->status == 8;
}

static sot_gps_event judged(sot_gps *gps, char *line, sot_gps_report *report) {
  if (line[0] != '{' || !strstr(line, "\"class\"")) return SOT_GPS_RUBBISH;
  bool is_report = strstr(line, "\"class\":\"TPV\"") != NULL;
  // Fields accumulate between reports and a missing key leaves the old value: a report stands for itself.
  if (is_report) {
    gps_clear_fix(&gps->data.fix);
    gps->data.dev.path[0] = 0;
  }
  if (gps_unpack(line, &gps->data) != 0) return SOT_GPS_RUBBISH;
  if (!is_report) return SOT_GPS_OTHER;
  fill(&gps->data, report);
  return SOT_GPS_REPORT;
}

// Reads lines itself and has libgps parse them: gps_read would keep the last of several reports only, and
// its recv blocks.
sot_gps_event sot_gps_next(sot_gps *gps, sot_gps_report *report) {
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
    ssize_t size = recv(gps->data.gps_fd, gps->line + gps->length, LINE_LIMIT - gps->length, MSG_DONTWAIT);
    if (size == 0) return SOT_GPS_GONE;
    if (size < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN || errno == EWOULDBLOCK ? SOT_GPS_NOTHING : SOT_GPS_GONE;
    }
    gps->length += (size_t)size;
  }
}
