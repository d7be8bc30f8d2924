"""C++ source as the checks see it: without comments, and without what stands in quotes."""

import re

_TOKEN = re.compile(
    r"""
      (?P<comment>//[^\n]*|/\*.*?\*/)
    | (?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")
    | (?P<string>"(?:\\.|[^"\\\n])*")
    | (?P<number>\b[0-9][\w.']*)                # 1'000'000 holds no character
    | (?P<character>'(?:\\.|[^'\\\n])+')
    """,
    re.VERBOSE | re.DOTALL,
)


def _blank(text):
    """Spaces in its place, so that lines keep their numbers."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(source):
    return _TOKEN.sub(lambda token: _blank(token[0]) if token["comment"] else token[0], source)


def without_comments_and_strings(source):
    quoted = ("comment", "raw", "string", "character")
    return _TOKEN.sub(lambda token: _blank(token[0]) if any(token[kind] for kind in quoted) else token[0], source)
