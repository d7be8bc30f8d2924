"""Debian's Chromium, driven through its own driver: nothing is downloaded, and what a page asks for is on record."""

import base64
import json
import os
import shutil

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# The contrast between two colours as WCAG defines it, for every element that shows text of its own.
LOW_CONTRAST = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (element) => { for (; element; element = element.parentElement) { const found = numbers(getComputedStyle(element).backgroundColor);
  if (found.length < 4 || found[3] === 1) return found; } return [255, 255, 255]; };
return [...document.body.querySelectorAll('*')].filter((one) => one.checkVisibility() && !one.matches(':disabled') &&
  !(one instanceof SVGElement) && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).map((one) => {
    const [a, b] = [light(numbers(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    return [one.textContent.slice(0, 40), (a + 0.05) / (b + 0.05)]; }).filter(([, contrast]) => contrast < 4.5);
"""


class Browser:
    def __init__(self, program, driver):
        os.environ |= {"SE_OFFLINE": "true", "SE_AVOID_STATS": "true"}
        options = Options()
        options.binary_location = program
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--disable-component-update", "--disable-background-networking"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))

    def devtools(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, page, width=1280, scheme="light"):
        """Opens a file; whatever it logs or asks for from now on is on record."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}  # a click waits for no scrolling
        self.devtools("Emulation.setEmulatedMedia", media="",
                      features=[{"name": name, "value": value} for name, value in wishes.items()])
        self.console(), self.requests()
        self.driver.get(page.as_uri())
        assert self.run("return 'ready' in document.documentElement.dataset"), self.console()

    def console(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]

    def press(self, *keys):
        for key in keys:
            webdriver.ActionChains(self.driver).send_keys(key).perform()

    def low_contrast(self):
        return self.run(LOW_CONTRAST)

    def printed(self):
        return base64.b64decode(self.devtools("Page.printToPDF", printBackground=True)["data"])


def start():
    """A browser, or a skip that says what is missing."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and driver):
        pytest.skip("there is no chromium with its driver here: scripts/test installs both where it may")
    return Browser(program, driver)
