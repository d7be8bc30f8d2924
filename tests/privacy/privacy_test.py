"""Runs a small program of ours on every ONNX Runtime under strace, and looks at what it touched.

SUREFOOT_PRIVACY_PROBE names the program, SUREFOOT_TEST_ORT_ROOT the folder with the runtimes.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WATCHED = "socket,connect,sendto,sendmsg,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,symlink"
SOCKET = re.compile(r"\b(?:socket|connect|sendto|sendmsg)\(")
# A call that makes or changes something on disk, and that succeeded.
WRITING = re.compile(r"\b(?:(?:mkdir|rename|link|symlink|creat)\w*\(|open\w*\(.*\bO_(?:WRONLY|RDWR|CREAT)\b).* = \d")
HARMLESS = re.compile(r'"/dev/(?:null|tty)"|"/proc/self/')

# All that the program gets of our environment. ORT sends nothing where `CI` or a build service's variable is
# set, and ORT_DISABLE_TELEMETRY is set in every test: with either, no run could show telemetry.
INHERITED = re.compile(r"PATH|LD_LIBRARY_PATH|LANG|[ATU]SAN_OPTIONS")

PROBE = os.environ.get("SUREFOOT_PRIVACY_PROBE", "")

# Official builds have telemetry from here on.
FIRST_WITH_TELEMETRY = (1, 30)


def works(command):
    try:
        return subprocess.run(command, capture_output=True, timeout=20).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def runtimes():
    """(name, version, library) of each, e.g. `cpu-1.31.1`."""
    root = os.environ.get("SUREFOOT_TEST_ORT_ROOT")
    for folder in sorted(pathlib.Path(root).iterdir()) if root else []:
        version = re.search(r"-(\d+)\.(\d+)\.\d+$", folder.name)
        libraries = sorted(folder.resolve().rglob("libonnxruntime.so*"))
        if version and libraries:
            yield folder.name, tuple(map(int, version.groups())), str(libraries[-1])


def private_network():
    """The command that runs another one without any network, or None where that is not permitted."""
    for command in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"]):
        if works([*command, "true"]):
            return command
    return None


class Watched:
    """One run of a program in an empty home: what it called, and what it left there."""

    def __init__(self, command, variables=None, before=()):
        with tempfile.TemporaryDirectory() as folder:
            home, log = pathlib.Path(folder, "home"), pathlib.Path(folder, "log")
            home.mkdir()
            environment = {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name)}
            environment |= {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "XDG_STATE_HOME": str(home / "state"),
                            "XDG_CONFIG_HOME": str(home / "config"), "XDG_DATA_HOME": str(home / "data"),
                            "TMPDIR": str(home / "tmp"), "ASAN_OPTIONS": "detect_leaks=0"} | (variables or {})
            ran = subprocess.run(
                [*before, "strace", "-f", "-qq", "-o", str(log), "-e", f"trace={WATCHED}", "--", *command],
                env=environment, capture_output=True, text=True, timeout=120)
            self.returncode, self.said = ran.returncode, ran.stdout + ran.stderr
            self.left = sorted(str(path.relative_to(home)) for path in home.rglob("*"))
            calls = log.read_text().splitlines()
        self.calls = len(calls)
        self.sockets = [call for call in calls if SOCKET.search(call)]
        self.writes = [call for call in calls if WRITING.search(call) and not HARMLESS.search(call)]


class PrivacyTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        if not works(["strace", "-qq", "-o", "/dev/null", "true"]):
            self.skipTest("strace is not installed, or tracing is not permitted here")
        self.runtimes = list(runtimes())
        if not self.runtimes:
            self.skipTest("no ONNX Runtime to test with: run scripts/test, or set SUREFOOT_TEST_ORT_ROOT")

    def test_nothing_is_written_and_no_socket_opened(self):
        inherited = ({}, {"ORT_DISABLE_TELEMETRY": "0"}, {"ORT_DISABLE_TELEMETRY": ""})
        for name, version, library in self.runtimes:
            for variables in inherited if version >= FIRST_WITH_TELEMETRY else inherited[:1]:
                with self.subTest(runtime=name, variables=variables):
                    seen = Watched([PROBE, library], variables, before=private_network() or ())
                    self.assertEqual(seen.returncode, 0, seen.said)
                    self.assertEqual(seen.said, "")
                    self.assertGreater(seen.calls, 10, "nothing was seen at all")
                    self.assertEqual((seen.sockets, seen.writes, seen.left), ([], [], []))

    def test_a_socket_and_a_file_are_seen(self):
        """The same watch on a program that does both."""
        code = "import os, socket; socket.socket(); open(os.environ['HOME'] + '/file', 'w')"
        seen = Watched([sys.executable, "-c", code])
        self.assertEqual(seen.returncode, 0, seen.said)
        self.assertEqual((len(seen.sockets), len(seen.writes), seen.left), (1, 1, ["file"]))

    def test_allowed_telemetry_is_seen(self):
        """What the other test looks for is there when it is asked for: so that test can fail."""
        before = private_network()
        if before is None:
            self.skipTest("no private network here (unshare), without which nothing may be let out")
        with_telemetry = [each for each in self.runtimes if each[1] >= FIRST_WITH_TELEMETRY]
        if not with_telemetry:
            self.skipTest("none of the ONNX Runtimes is new enough to have telemetry")
        for name, _, library in with_telemetry:
            with self.subTest(runtime=name):
                seen = Watched([PROBE, library, "--allow-telemetry"], before=before)
                self.assertEqual(seen.returncode, 0, seen.said)
                self.assertTrue(seen.writes)
                self.assertTrue(any(path.endswith("deviceid") for path in seen.left), seen.left)


if __name__ == "__main__":
    unittest.main()
