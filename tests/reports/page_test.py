#!/usr/bin/env python3
"""Drives the page of a report in headless Chromium: what a reader looks for is found, whatever the data holds.

usage: page_test.py [--source ROOT] [--program OPCONFORM] [--page FILE] [--keep DIR] [unittest arguments]

--program  also tests the pages that the program makes
--page     also looks at a page that is there: no error in the console, structure, contrast, width
--keep     leaves the pages in DIR
Needs the Debian packages chromium, chromium-driver, python3-selenium and python3-jsonschema.
"""
import argparse
import os
import sys
import unittest
from pathlib import Path

if os.environ.get("OPCONFORM_WITHOUT_BROWSER") == "1":
    print("left out, because OPCONFORM_WITHOUT_BROWSER is 1")
    sys.exit(77)
sys.dont_write_bytecode = True  # the source tree stays as it is

import page_driver  # noqa: E402
from page_content_test import Content  # noqa: E402, F401
from page_groups_test import Groups  # noqa: E402, F401
from page_search_test import Search  # noqa: E402, F401
from page_use_test import Use  # noqa: E402, F401


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument("--program", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--keep", type=Path)
    return parser.parse_known_args()


if __name__ == "__main__":
    options, rest = arguments()
    page_driver.set_up(options)
    unittest.main(argv=[sys.argv[0], *rest])
