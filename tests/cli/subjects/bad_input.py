"""What tests of bad input share: it ends with exit code 2 and one message that names file, place and value; never with a
verdict, and never at the cost of what is good beside it."""
from documents import GOOD, copy, split
from program import CONTROL, CliTest

LONGEST_MESSAGE = 1000


class BadInputTest(CliTest):
    def assert_one_message(self, outcome, file, place="", value=""):
        """Exit code 2, one line of stderr, and the good case beside it judged."""
        self.assert_exit(2, outcome)
        self.assertEqual(1, len(outcome.messages), outcome)
        message = outcome.messages[0]
        self.assertTrue(message.startswith("opconform: "), message)
        self.assertIn(str(file), message)
        self.assertIn(place, message)
        self.assertIn(value, message)
        self.assertLess(len(message), LONGEST_MESSAGE + len(str(file)))
        self.assertIsNone(CONTROL.search(outcome.err), repr(outcome.err))
        verdicts = outcome.verdicts()
        self.assertEqual("pass", verdicts.pop("good"))
        verdicts.pop("neighbour", None)
        self.assertEqual({}, verdicts)

    def check(self, content, place="", value="", name="faulty.json", arguments=()):
        faulty = self.write(name, content)
        good = self.write("good.json", GOOD)
        outcome = self.run_cases(faulty, good, *arguments)
        self.assert_one_message(outcome, faulty, place, value)
        return outcome


def add_tests(to, prefix, table, method):
    for name, row in table.items():
        setattr(to, f"test_{prefix}{name}", lambda self, row=row: getattr(self, method)(*row))


def in_input(**fields):
    case = split()
    del case["desc"]["InputTensor"]["data"]
    case["desc"]["InputTensor"].update(fields)
    return case


def executable_huge():
    case = copy("UINT8", [1], [1])
    case["desc"]["InputTensor"]["TotalTensorSizeInBytes"] = 1 << 60
    return case
