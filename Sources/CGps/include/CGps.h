// The part of libgps that is needed, over an opaque handle: its structures differ from release to release.
#ifndef SOTERIA_CGPS_H
#define SOTERIA_CGPS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sot_gps sot_gps;

// One TPV report. What is unknown is NaN. Source: gps.h, struct gps_fix_t.
typedef struct {
  char device[128];
  int mode;
  double latitude, longitude, eph, altitude_msl, speed, track, time;
  bool dead_reckoning, simulated;
} sot_gps_report;

typedef enum {
  SOT_GPS_NOTHING,  // no complete line yet
  SOT_GPS_REPORT,   // a TPV report
  SOT_GPS_OTHER,    // another object of gpsd's
  SOT_GPS_RUBBISH,  // a line that is none
  SOT_GPS_GONE,     // the session is over
} sot_gps_event;

// Resolves and connects, blocking; asks for reports. NULL, and the reason in `reason`.
sot_gps *sot_gps_open(const char *host, const char *port, char *reason, size_t reason_size);
void sot_gps_close(sot_gps *);
int sot_gps_descriptor(const sot_gps *);
// The next thing that gpsd said, without blocking. Call until it is SOT_GPS_NOTHING or SOT_GPS_GONE. The socket is
// read once at most, and only where `may_read` allows it.
sot_gps_event sot_gps_next(sot_gps *, sot_gps_report *report, bool *may_read);

#endif
