"""A GPS receiver on a pty, as gpsd sees one on a serial port.

usage: receiver.py LINK STATE     STATE holds "LAT LON", or "none" while there is no fix; it is read anew each second
"""

import os
import sys
import time
import tty

LINK, STATE = sys.argv[1:]


def sentence(body):
    checksum = 0
    for character in body.encode():
        checksum ^= character
    return f"${body}*{checksum:02X}\r\n".encode()


def angle(degrees, width, positive, negative):
    minutes = round(abs(degrees) * 60, 4)
    return f"{int(minutes // 60):0{width}d}{minutes % 60:07.4f},{positive if degrees >= 0 else negative}"


def cycle(state):
    now = time.gmtime()
    clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    if state == "none":
        return sentence(f"GPGGA,{clock},,,,,0,00,99.9,,,,,,") + sentence("GPGSA,A,1,,,,,,,,,,,,,99.9,99.9,99.9") \
            + sentence(f"GPRMC,{clock},V,,,,,,,{date},,,N")
    lat, lon = map(float, state.split())
    place = f"{angle(lat, 2, 'N', 'S')},{angle(lon, 3, 'E', 'W')}"
    return sentence(f"GPGGA,{clock},{place},1,09,0.9,12.0,M,18.0,M,,") \
        + sentence("GPGSA,A,3,02,05,09,12,15,20,25,29,31,,,,1.7,0.9,1.4") \
        + sentence(f"GPRMC,{clock},A,{place},0.00,0.0,{date},,,A")


master, slave = os.openpty()
tty.setraw(slave)
# gpsd gives up its privileges before it opens the device.
os.fchmod(slave, 0o666)
os.symlink(os.ttyname(slave), LINK)
os.set_blocking(master, False)
while True:
    with open(STATE) as file:
        state = file.read()
    try:
        os.write(master, cycle(state))
    except BlockingIOError:
        pass  # Nobody reads yet.
    time.sleep(1)
