"""Pages of reports, and the browser that opens them."""
import html
import json
import re
import tempfile
import time
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SCRIPTS = (  # in the order they are embedded
    "dom model promises query picture picture_table wrong sure runs generated matrix rules strength cases report".split()
)
CHECKS = Path(__file__).with_name("page_checks.js").read_text(encoding="utf-8")
OPTIONS = None  # of page_test.py


def set_up(options):
    global OPTIONS
    OPTIONS = options


def make_page(model, file):
    """As the program makes a page of a report."""
    folder = OPTIONS.source / "reports/page"
    parts = {
        "/*{{style}}*/": (folder / "report.css").read_text(encoding="utf-8"),
        "/*{{script}}*/": "".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS),
        "{{data}}": json.dumps(model).replace("<", "\\u003c"),
        "{{title}}": html.escape(model["title"]).encode("utf-8", "replace").decode(),
    }
    template = (folder / "report.html").read_text(encoding="utf-8")
    # In one pass: data may hold what looks like a placeholder.
    file.write_text(re.sub("|".join(map(re.escape, parts)), lambda match: parts[match[0]], template), encoding="utf-8")


class LoopbackService(Service):
    """chromedriver, asked by its address: not every machine knows the name localhost."""

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        options = Options()
        for argument in (
            "--headless=new",
            "--remote-debugging-pipe",  # a port, chromedriver would look for at the name localhost
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--lang=en",
            "--hide-scrollbars",
            # What it would ask the network for, which may not be there.
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")
        debian = Path("/usr/bin/chromedriver")
        service = LoopbackService(str(debian)) if debian.exists() else LoopbackService()
        cls.browser = webdriver.Chrome(options=options, service=service)
        cls.browser.set_script_timeout(60)
        cls.addClassCleanup(cls.browser.quit)
        if OPTIONS.keep:
            cls.folder = OPTIONS.keep
            cls.folder.mkdir(parents=True, exist_ok=True)
        else:
            folder = tempfile.TemporaryDirectory(prefix="opconform-page-")
            cls.addClassCleanup(folder.cleanup)
            cls.folder = Path(folder.name)
        cls.pages = {}

    def setUp(self):
        self.size(1280, 900)
        self.browser.get_log("browser")

    def tearDown(self):
        errors = [
            entry["message"] for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")
        ]
        self.assertEqual([], errors, "the console of the browser tells of errors")

    # What the tests are made of

    def page(self, make):
        if make not in self.pages:
            self.pages[make] = self.folder / f"{make.__name__}.html"
            make_page(make(), self.pages[make])
        return self.pages[make]

    def open(self, make, hash_part=""):
        page = make if isinstance(make, Path) else self.page(make)
        self.browser.get("about:blank")
        self.browser.get(page.resolve().as_uri() + hash_part)
        self.wait_until_loaded()

    def wait_until_loaded(self):
        # get() has been seen to come back too early on a busy machine.
        loaded = "return location.protocol === 'file:' && document.readyState === 'complete'"
        WebDriverWait(self.browser, 60).until(lambda browser: browser.execute_script(loaded), "the page is not loaded")

    def open_model(self, name, model):
        page = self.folder / f"{name}.html"
        make_page(model, page)
        self.open(page)

    def size(self, width, height):
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def media(self, medium="", **features):
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": named})

    def run_script(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return self.run_script("return [...document.querySelectorAll(arguments[0])].map((e) => e.innerText)", selector)

    def text_of(self, selector):
        found = self.texts(selector)
        self.assertTrue(found, f"the page has no {selector}")
        return found[0]

    def shown_cases(self):
        return self.texts("#cases .case .id code")

    def control(self, label):
        return self.browser.find_element(
            By.XPATH, f"//form//label[span[normalize-space()='{label}']]/*[self::select or self::input]"
        )

    def choose(self, label, value):
        select = self.control(label)
        self.run_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", select, value
        )
        self.assertEqual(value, select.get_property("value"), f"{label} has no {value}")

    def wait(self, condition, what):
        end = time.monotonic() + 10
        while not (result := condition()):
            self.assertLess(time.monotonic(), end, f"did not come about: {what}")
            time.sleep(0.02)
        return result

    def check(self, function):
        """What a function of page_checks.js finds."""
        return self.run_script(f"{CHECKS}\nreturn {function}()")

    def assert_well_made(self):
        self.check("open_everything")
        self.assertEqual([], self.check("structure_faults"))
        self.assertEqual([], self.check("slips"), "what no reader should see")
        for theme in ("light", "dark"):
            self.run_script("document.documentElement.dataset.theme = arguments[0]", theme)
            self.assertEqual([], self.check("hard_to_read"), f"in the {theme} theme")
        for width in (1280, 768, 360):
            self.size(width, 800)
            self.assertEqual([], self.check("too_wide"), f"the page scrolls sideways at {width} pixels")
