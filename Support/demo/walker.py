"""A simulated GPS receiver: someone walks through Jakarta and the receiver writes NMEA on a pty.

Usage: walker.py LINK STATE
LINK becomes a symbolic link to the pty that gpsd reads; STATE always holds the walker's true position as JSON.
"""

import json
import math
import os
import sys
import time
import tty

# Corners of a walk from the National Monument southwards, half an hour each way: latitude, longitude.
CORNERS = [
    (-6.175392, 106.827153), (-6.176850, 106.824800), (-6.181200, 106.823020), (-6.186400, 106.822990),
    (-6.191300, 106.823060), (-6.195100, 106.823010), (-6.199800, 106.822350),
]
SPEED = 1.4  # metres a second, a brisk walk
METRES_PER_DEGREE = 111_195.0


def position(walked):
    """Where the walker is after so many metres, and the course in degrees."""
    way = CORNERS + CORNERS[-2::-1]  # there and back
    legs = list(zip(way, way[1:]))
    while True:
        for (lat, lon), (next_lat, next_lon) in legs:
            north = (next_lat - lat) * METRES_PER_DEGREE
            east = (next_lon - lon) * METRES_PER_DEGREE * math.cos(math.radians(lat))
            length = math.hypot(north, east)
            if walked <= length:
                part = walked / length
                course = math.degrees(math.atan2(east, north)) % 360
                return lat + (next_lat - lat) * part, lon + (next_lon - lon) * part, course
            walked -= length


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return f"${body}*{checksum:02X}\r\n"


def angle(degrees, width, positive, negative):
    whole = int(abs(degrees))
    minutes = (abs(degrees) - whole) * 60
    return f"{whole:0{width}d}{minutes:07.4f},{positive if degrees >= 0 else negative}"


def cycle(lat, lon, course):
    now = time.gmtime()
    clock = time.strftime("%H%M%S.00", now)
    date = time.strftime("%d%m%y", now)
    place = f"{angle(lat, 2, 'N', 'S')},{angle(lon, 3, 'E', 'W')}"
    knots = SPEED / 0.514444
    return "".join([
        sentence(f"GPGGA,{clock},{place},1,09,0.9,12.0,M,18.0,M,,"),
        sentence("GPGSA,A,3,02,05,09,12,15,20,25,29,31,,,,1.7,0.9,1.4"),
        sentence(f"GPGST,{clock},1.2,2.9,2.4,11.0,2.9,2.4,4.8"),
        sentence(f"GPRMC,{clock},A,{place},{knots:.2f},{course:.1f},{date},,,A"),
    ])


def main(link, state):
    master, slave = os.openpty()
    tty.setraw(slave)
    # gpsd gives up its privileges before it opens the device.
    os.fchmod(slave, 0o666)
    os.symlink(os.ttyname(slave), link)
    # gpsd drops what comes while it hunts for the speed.
    for number in range(40):
        os.write(master, sentence(f"GPTXT,01,01,02,warming up {number}").encode())
    os.set_blocking(master, False)
    start = time.monotonic()
    while True:
        lat, lon, course = position((time.monotonic() - start) * SPEED)
        with open(state + ".new", "w") as file:
            json.dump({"lat": lat, "lon": lon}, file)
        os.replace(state + ".new", state)
        try:
            os.write(master, cycle(lat, lon, course).encode())
        except BlockingIOError:
            pass  # Nobody reads yet.
        time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
