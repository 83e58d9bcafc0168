#define _GNU_SOURCE
#include "CGpiod.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define ABI 1
#else
#define ABI 2
#endif

int sot_line_abi(void) { return ABI; }

static void add_text(char *into, size_t size, const char *text) {
  size_t used = strlen(into);
  if (used + 1 < size) snprintf(into + used, size - used, "%s%s", used ? ", " : "", text);
}

// A link is another name of a chip that is there already: Raspberry Pi OS has one from gpiochip4 to gpiochip0, and the
// chip would seem to exist twice.
static int is_chip(const struct dirent *entry) {
  if (entry->d_type == DT_LNK) return 0;
  if (strncmp(entry->d_name, "gpiochip", 8) != 0 || !entry->d_name[8]) return 0;
  return entry->d_name[8 + strspn(entry->d_name + 8, "0123456789")] == 0;
}

// What differs between the two libraries: a chip's names, and requesting one line of it.
static const char *chip_name(struct gpiod_chip *chip, const char **label, unsigned *lines);
static int find_line(struct gpiod_chip *chip, const char *name);
static void line_name(struct gpiod_chip *chip, unsigned offset, char *into, size_t size);
static void consumer(struct gpiod_chip *chip, unsigned offset, char *into, size_t size);
static struct gpiod_chip *chip_open(const char *path);
static sot_line *request(struct gpiod_chip *chip, unsigned offset, bool active_low, sot_bias bias);

#if ABI == 1

struct sot_line {
  struct gpiod_chip *chip;
  struct gpiod_line *line;
};

static struct gpiod_chip *chip_open(const char *path) { return gpiod_chip_open(path); }

static const char *chip_name(struct gpiod_chip *chip, const char **label, unsigned *lines) {
  *label = gpiod_chip_label(chip);
  *lines = gpiod_chip_num_lines(chip);
  return gpiod_chip_name(chip);
}

static int find_line(struct gpiod_chip *chip, const char *name) {
  struct gpiod_line *line = gpiod_chip_find_line(chip, name);
  return line ? (int)gpiod_line_offset(line) : -1;
}

static void line_name(struct gpiod_chip *chip, unsigned offset, char *into, size_t size) {
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  const char *name = line ? gpiod_line_name(line) : NULL;
  snprintf(into, size, "%s", name ? name : "");
}

static void consumer(struct gpiod_chip *chip, unsigned offset, char *into, size_t size) {
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  const char *name = line ? gpiod_line_consumer(line) : NULL;
  snprintf(into, size, "%s", name && name[0] ? name : "another program");
}

static sot_line *request(struct gpiod_chip *chip, unsigned offset, bool active_low, sot_bias bias) {
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  if (!line) return NULL;
  int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
  if (bias == SOT_BIAS_DISABLED) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
  if (bias == SOT_BIAS_PULL_UP) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
  if (bias == SOT_BIAS_PULL_DOWN) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
  if (gpiod_line_request_both_edges_events_flags(line, "soteriad", flags) != 0) return NULL;
  sot_line *made = calloc(1, sizeof *made);
  if (!made) {
    gpiod_line_release(line);
    errno = ENOMEM;
    return NULL;
  }
  made->chip = chip;
  made->line = line;
  return made;
}

void sot_line_close(sot_line *line) {
  if (!line) return;
  gpiod_line_release(line->line);
  gpiod_chip_close(line->chip);
  free(line);
}

int sot_line_descriptor(const sot_line *line) { return gpiod_line_event_get_fd(line->line); }

#else

struct sot_line {
  struct gpiod_chip *chip;
  struct gpiod_line_request *request;
};

static struct gpiod_chip *chip_open(const char *path) { return gpiod_chip_open(path); }

static const char *chip_name(struct gpiod_chip *chip, const char **label, unsigned *lines) {
  // The names must outlive the info object; one thread calls this.
  static char name[32], tag[64];
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  name[0] = tag[0] = 0;
  *lines = 0;
  if (info) {
    snprintf(name, sizeof name, "%s", gpiod_chip_info_get_name(info));
    snprintf(tag, sizeof tag, "%s", gpiod_chip_info_get_label(info));
    *lines = (unsigned)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
  }
  *label = tag;
  return name;
}

static int find_line(struct gpiod_chip *chip, const char *name) {
  return gpiod_chip_get_line_offset_from_name(chip, name);
}

static void line_name(struct gpiod_chip *chip, unsigned offset, char *into, size_t size) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  const char *name = info ? gpiod_line_info_get_name(info) : NULL;
  snprintf(into, size, "%s", name ? name : "");
  if (info) gpiod_line_info_free(info);
}

static void consumer(struct gpiod_chip *chip, unsigned offset, char *into, size_t size) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  const char *name = info ? gpiod_line_info_get_consumer(info) : NULL;
  snprintf(into, size, "%s", name && name[0] ? name : "another program");
  if (info) gpiod_line_info_free(info);
}

static enum gpiod_line_bias translated(sot_bias bias) {
  switch (bias) {
    case SOT_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case SOT_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case SOT_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    case SOT_BIAS_AS_IS: break;
  }
  return GPIOD_LINE_BIAS_AS_IS;
}

// Without the kernel's debouncing: it holds back the edges of a line that chatters, which then looks as if it were
// held down.
static struct gpiod_line_request *request_lines(struct gpiod_chip *chip, unsigned offset, bool active_low,
                                                sot_bias bias) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *lines = gpiod_line_config_new();
  struct gpiod_request_config *config = gpiod_request_config_new();
  struct gpiod_line_request *made = NULL;
  if (settings && lines && config) {
    gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
    gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    gpiod_line_settings_set_bias(settings, translated(bias));
    gpiod_line_settings_set_active_low(settings, active_low);
    gpiod_request_config_set_consumer(config, "soteriad");
    gpiod_request_config_set_event_buffer_size(config, 64);
    if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
      made = gpiod_chip_request_lines(chip, config, lines);
  }
  int saved = errno;
  if (config) gpiod_request_config_free(config);
  if (lines) gpiod_line_config_free(lines);
  if (settings) gpiod_line_settings_free(settings);
  errno = saved;
  return made;
}

static sot_line *request(struct gpiod_chip *chip, unsigned offset, bool active_low, sot_bias bias) {
  struct gpiod_line_request *made = request_lines(chip, offset, active_low, bias);
  if (!made) return NULL;
  sot_line *line = calloc(1, sizeof *line);
  if (!line) {
    gpiod_line_request_release(made);
    errno = ENOMEM;
    return NULL;
  }
  line->chip = chip;
  line->request = made;
  return line;
}

void sot_line_close(sot_line *line) {
  if (!line) return;
  gpiod_line_request_release(line->request);
  gpiod_chip_close(line->chip);
  free(line);
}

int sot_line_descriptor(const sot_line *line) { return gpiod_line_request_get_fd(line->request); }

#endif

typedef struct {
  struct gpiod_chip *chip;
  unsigned offset;
  unsigned found;
} candidate;

// Looks at one chip: is it the wanted one, and does it have the line?
static void consider(const char *path, const char *wanted_chip, const char *name, unsigned offset,
                     candidate *best, bool *chip_seen, sot_line_report *report) {
  struct gpiod_chip *chip = chip_open(path);
  if (!chip) {
    // One that may not be opened is not missing: without the reason people look for the driver.
    char unopened[128];
    snprintf(unopened, sizeof unopened, "%s: %s", path, strerror(errno));
    add_text(report->chips, sizeof report->chips, unopened);
    return;
  }
  const char *label;
  unsigned lines;
  const char *known_as = chip_name(chip, &label, &lines);
  char both[128];
  snprintf(both, sizeof both, "%s [%s]", known_as, label ? label : "");
  add_text(report->chips, sizeof report->chips, both);
  bool wanted = !wanted_chip || strcmp(wanted_chip, known_as) == 0 || strcmp(wanted_chip, path) == 0 ||
                (label && strcmp(wanted_chip, label) == 0);
  if (wanted) {
    *chip_seen = true;
    int at = name ? find_line(chip, name) : offset < lines ? (int)offset : -1;
    if (!name && at < 0)
      snprintf(report->detail, sizeof report->detail, "%s has lines 0 to %u", both, lines ? lines - 1 : 0);
    if (at >= 0) {
      if (best->found++ == 0) {
        char text[64];
        line_name(chip, (unsigned)at, text, sizeof text);
        snprintf(report->description, sizeof report->description, "%s (%s), line %d%s%s%s", known_as,
                 label ? label : "", at, text[0] ? " (" : "", text, text[0] ? ")" : "");
        snprintf(report->path, sizeof report->path, "%s", path);
        best->chip = chip;
        best->offset = (unsigned)at;
        return;
      }
    }
  }
  gpiod_chip_close(chip);
}

sot_line *sot_line_open(const char *chip, const char *name, unsigned offset, bool active_low, sot_bias bias,
                        sot_line_report *report) {
  memset(report, 0, sizeof *report);
  candidate best = {0};
  bool chip_seen = false;
  struct dirent **entries = NULL;
  int count = scandir("/dev", &entries, is_chip, versionsort);
  for (int i = 0; i < count; i++) {
    char path[300];
    snprintf(path, sizeof path, "/dev/%s", entries[i]->d_name);
    consider(path, chip, name, offset, &best, &chip_seen, report);
    free(entries[i]);
  }
  free(entries);
  // A path outside the usual names, or the name of a link.
  if (!chip_seen && chip) {
    char path[300];
    snprintf(path, sizeof path, "%s%s", chip[0] == '/' ? "" : "/dev/", chip);
    if (chip[0] == '/' || access(path, F_OK) == 0)
      consider(path, path, name, offset, &best, &chip_seen, report);
  }

  if (best.found > 1) {
    gpiod_chip_close(best.chip);
    report->result = SOT_LINE_NO_LINE;
    snprintf(report->detail, sizeof report->detail, "the name exists on %u chips: set button.chip", best.found);
    return NULL;
  }
  if (best.found == 0) {
    report->result = chip_seen ? SOT_LINE_NO_LINE : SOT_LINE_NO_CHIP;
    if (!report->detail[0])
      snprintf(report->detail, sizeof report->detail, "no chip there has it");
    return NULL;
  }
  sot_line *line = request(best.chip, best.offset, active_low, bias);
  if (line) {
    int fd = sot_line_descriptor(line);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return line;
  }
  int saved = errno;
  report->result = saved == EBUSY ? SOT_LINE_BUSY : SOT_LINE_FAILED;
  if (saved == EBUSY)
    consumer(best.chip, best.offset, report->detail, sizeof report->detail);
  else
    snprintf(report->detail, sizeof report->detail, "%s%s", strerror(saved),
             saved == EINVAL ? " (a bias the chip does not have?)" : "");
  gpiod_chip_close(best.chip);
  return NULL;
}

int sot_edges_read(int fd, sot_edge *edges, size_t count) {
#if ABI == 1
  struct gpioevent_data records[16];
#else
  struct gpio_v2_line_event records[16];
#endif
  if (count > 16) count = 16;
  ssize_t size;
  do size = read(fd, records, count * sizeof records[0]);
  while (size < 0 && errno == EINTR);
  if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -1;
  if (size == 0) return -1;
  int whole = (int)((size_t)size / sizeof records[0]);
  // The kernel hands out whole records only; a part of one is no line's descriptor.
  if (whole == 0) return -1;
  for (int i = 0; i < whole; i++) {
#if ABI == 1
    edges[i].timestamp_ns = records[i].timestamp;
    edges[i].active = records[i].id == GPIOEVENT_EVENT_RISING_EDGE;
    edges[i].sequence = 0;
#else
    edges[i].timestamp_ns = records[i].timestamp_ns;
    edges[i].active = records[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
    edges[i].sequence = records[i].line_seqno;
#endif
  }
  return whole;
}

int sot_level_read(int fd) {
#if ABI == 1
  struct gpiohandle_data values;
  memset(&values, 0, sizeof values);
  if (ioctl(fd, GPIOHANDLE_GET_LINE_VALUES_IOCTL, &values) != 0) return -1;
  return values.values[0] ? 1 : 0;
#else
  struct gpio_v2_line_values values = {.mask = 1};
  if (ioctl(fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) != 0) return -1;
  return values.bits & 1 ? 1 : 0;
#endif
}
