"""Real inputs: a rendered line of text and a spoken sentence."""

import subprocess
import wave

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SENTENCE = "The quick brown fox jumps over the lazy dog, and nobody is surprised."


def text_image(text, size=32, margin=8):
    """Black text on white, as an RGB picture that just holds it."""
    font = ImageFont.truetype("DejaVuSans.ttf", size)
    left, top, right, bottom = font.getbbox(text)
    picture = Image.new("RGB", (right - left + 2 * margin, bottom - top + 2 * margin), "white")
    ImageDraw.Draw(picture).text((margin - left, margin - top), text, font=font, fill="black")
    return picture


def planes(picture, mean=0.5, deviation=0.5):
    """A picture as float32[1,3,height,width], blue first, normalised."""
    pixels = np.asarray(picture, np.float64)[:, :, ::-1] * (1 / 255)
    return np.ascontiguousarray(((pixels - mean) / deviation).transpose(2, 0, 1)[None], np.float32)


def speak(path, sentence=SENTENCE):
    """The sentence as a sound file at `path`, which is returned."""
    subprocess.run(["espeak-ng", "-v", "en", "-w", str(path), sentence], check=True)
    return path


def samples_of(path):
    """A 16-bit mono file as float32 samples in -1..1, and its rate."""
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return (samples / 32768).astype(np.float32), file.getframerate()
