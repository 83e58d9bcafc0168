// The button's line over libgpiod 1.6 or 2.x, and the kernel's own event records on its descriptor.
#ifndef SOTERIA_CGPIOD_H
#define SOTERIA_CGPIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sot_line sot_line;

typedef enum { SOT_BIAS_AS_IS, SOT_BIAS_DISABLED, SOT_BIAS_PULL_UP, SOT_BIAS_PULL_DOWN } sot_bias;

typedef enum {
  SOT_LINE_OK,
  SOT_LINE_NO_CHIP,
  SOT_LINE_NO_LINE,    // or its name exists on several chips: `detail` says which
  SOT_LINE_BUSY,       // `detail` is the consumer
  SOT_LINE_FAILED,     // `detail` is the system's reason
} sot_line_result;

typedef struct {
  sot_line_result result;
  char detail[256];
  char description[192];  // "gpiochip0 (pinctrl-bcm2711), line 17 (GPIO17)"
  char path[280];         // of the chip's device node
  char chips[512];        // those present, joined by ", "
} sot_line_report;

// An edge as the kernel queued it; `timestamp_ns` is CLOCK_MONOTONIC.
typedef struct {
  uint64_t timestamp_ns;
  bool active;
  uint32_t sequence;  // 0 where the ABI has none
} sot_edge;

// Requests the line for both edges. `chip` may be NULL when `name` exists once; `name` NULL means `offset`.
// NULL on failure; `report` says why either way.
sot_line *sot_line_open(const char *chip, const char *name, unsigned offset, bool active_low, sot_bias bias,
                        sot_line_report *report);
void sot_line_close(sot_line *);
// Belongs to the line: poll it, never close it.
int sot_line_descriptor(const sot_line *);

// 1 or 2: which of the kernel's two interfaces the linked libgpiod uses.
int sot_line_abi(void);
// Reads queued edges from a line's descriptor, of this or an earlier process. The number read, 0 for none,
// -1 when the descriptor is at its end or broken.
int sot_edges_read(int fd, sot_edge *edges, size_t count);
// 1 active, 0 inactive, -1 where the descriptor cannot tell.
int sot_level_read(int fd);

#endif
