"""The support grid: its table, its JSON, its arguments."""
import json

from program import CliTest, opconform, operators

COUNTS = {"cells", "inside", "neighbours", "farther", "unbounded", "unsupported", "wrong"}
# Levels times types times index types times ranks, by the documents' tables: of some operators.
INSIDE = {"DML_SCATTER": 2 * 2 + 8 + 3 * 8 * 4 * 8 + 9 * 11 * 4 * 8, "DML_SPLIT": 2 * 6 + 8 + 3 * 8 * 8 + 9 * 11 * 8,
          "DML_SLICE1": 8 * 2 + 3 * 8 * 8 + 9 * 11 * 8, "ONNX_GATHER": (15 + 15 + 16) * 2 * 8 * 9,
          "DML_JOIN": 2 * 6 + 8 + 3 * 8 * 2 + 9 * 11 * 8}


def grid(*arguments):
    return opconform("grid", *arguments, timeout=60)  # with sanitizers on a busy machine


class Grid(CliTest):
    def test_table(self):
        outcome = grid()
        self.assert_exit(0, outcome)
        self.assertEqual("", outcome.err)
        lines = outcome.out.splitlines()
        self.assertEqual(["operator", "version", *sorted(COUNTS)], [*lines[0].split()[:2], *sorted(lines[0].split()[2:])])
        end, = [number for number, line in enumerate(lines) if line.startswith("total")]
        rows, total = [line.split() for line in lines[1:end]], lines[end].split()
        self.assertEqual(sum(len(one["versions"]) for one in operators()), len(rows))
        self.assertEqual([sum(int(row[column]) for row in rows) for column in (2, 3)], [int(total[1]), int(total[2])])
        self.assertEqual("0", total[-1])

    def test_words_of_an_implementation_have_an_end(self):
        file = self.folder / "grid.json"
        self.assert_exit(1, grid("--backend", "faulty:hostile-words", "--operator", "DML_SPLIT", "--json", file))
        wrong = json.loads(file.read_text(encoding="utf-8"))["wrong"]
        self.assertGreater(len(wrong), 100)
        self.assertLess(max(len(one["message"]) for one in wrong), 2000)
        page = self.folder / "page.html"
        self.assert_exit(0, opconform("report", file, "--html", page))
        self.assertLess(page.stat().st_size, 1_000_000)

    def test_json(self):
        for backend in ("reference", "optimized"):
            outcome = grid("--backend", backend, "--seed", "7", "--json", "-")
            self.assert_exit(0, outcome)
            found = outcome.json
            self.assertEqual({"kind", "version", "backend", "seed", "run", "total", "rows", "wrong"}, set(found))
            self.assertEqual((backend, 7, []), (found["backend"], found["seed"], found["wrong"]))
            self.assertEqual([(one["name"], version) for one in operators() for version in one["versions"]],
                             [(row["operator"], row["version"]) for row in found["rows"]])
            for row in found["rows"]:
                self.assertEqual(COUNTS | {"operator", "version"}, set(row))
                self.assertEqual(row["cells"], sum(row[name] for name in COUNTS - {"cells"}))
            for operator, inside in INSIDE.items():
                self.assertEqual(inside, sum(row["inside"] for row in found["rows"] if row["operator"] == operator))
            for name in COUNTS:
                self.assertEqual(found["total"][name], sum(row[name] for row in found["rows"]))

    def test_levels_and_operators(self):
        whole = grid("--operator", "split", "--operator", "gather", "--json", "-").json
        part = grid("--operator", "DML_SPLIT", "--operator", "ONNX_GATHER", "--feature-level", "2_0", "--json", "-").json
        self.assertEqual({"DML_SPLIT", "ONNX_GATHER"}, {row["operator"] for row in part["rows"]})
        self.assertEqual([row for row in whole["rows"] if row["version"] in ("1_0", "2_0") or "_" not in row["version"]],
                         part["rows"])

    def test_json_file_beside_the_table(self):
        path = self.folder / "grid.json"
        outcome = grid("--operator", "DML_SPLIT", "--json", path)
        self.assert_exit(0, outcome)
        self.assertIn("total", outcome.out)
        self.assertEqual(15, len(json.loads(path.read_text())["rows"]))

    def test_one_operator_also_by_its_alias(self):
        for name in ("DML_SCATTER", "DML_SCATTER_ELEMENTS"):
            rows = grid("--operator", name, "--json", "-").json["rows"]
            self.assertEqual({"DML_SCATTER"}, {row["operator"] for row in rows})
            self.assertEqual(["1_0", "6_4"], [rows[0]["version"], rows[-1]["version"]])

    def test_bad_usage(self):
        for arguments in (["--operator", "DML_NOTHING"], ["--operator", ""], ["--backend", "nothing"], ["--seed", "-1"],
                          ["--json", ""], ["--json"], ["more"]):
            with self.subTest(arguments=arguments):
                self.assert_bad_usage("grid", *arguments)
