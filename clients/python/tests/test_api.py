"""The types are those of the OpenAPI document."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import types_of_document  # noqa: E402


class ApiTest(unittest.TestCase):
    def test_the_types_are_those_of_the_document(self) -> None:
        self.assertEqual(
            types_of_document.TARGET.read_text(), types_of_document.types(), "run python3 types_of_document.py")
