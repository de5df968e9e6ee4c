"""The mutated tree: a copy of the project with all mutants in its sources, and the programs built from it."""
import json
import random
import re
import subprocess
from pathlib import Path

from clang import cindex

from . import schemata, scope, sites

HERE = Path(__file__).parent
LIBRARIES = ["/usr/lib/x86_64-linux-gnu/libclang-14.so.1", "/usr/lib/llvm-14/lib/libclang.so.1"]
ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+): (?:fatal )?error: ", re.MULTILINE)
PLACE = re.compile(r"^(/[^:\n]+):(\d+):(\d+): ", re.MULTILINE)
TARGETS = [
    "opconform_cli", "spec_tests", "reference_tests", "optimized_tests", "harness_tests", "thread_tests",
    "differential_tests", "ledger_coverage_tests", "coverage_tests", "promise_tests", "undecided_tests",
]  # fmt: skip
RUNTIME = ("spec/CMakeLists.txt",
           b"\ntarget_sources(opconform_spec PRIVATE ${PROJECT_SOURCE_DIR}/mutation_runtime.cpp)\n")
WARNINGS = ["-w", "-Wno-narrowing"]


def use_libclang():
    for library in LIBRARIES:
        if Path(library).exists():
            cindex.Config.set_library_file(library)
            return
    raise SystemExit("libclang 14 is missing: apt-get install libclang1-14 python3-clang-14")


def tracked_files(root):
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={root}", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return sorted(path for path in listed.split("\0") if path and (root / path).is_file())


def arguments_for(root):
    return ["-x", "c++", "-std=c++20", f"-I{root}", f"-I{root}/include", "-DOPCONFORM_THREADS", "-w",
            "-Wno-narrowing", "-Wno-c++11-narrowing", "-ferror-limit=0"]  # fmt: skip


def must(command, **more):
    """What it prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}:\n{done.stdout[-6000:]}")
    return done.stdout


def put(path, content):
    """Writes what is not there yet; a file that stays the same is not built again."""
    if path.exists() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True


class Tree:
    def __init__(self, root, work, compiler="clang++"):
        self.root, self.work, self.compiler = root, work, compiler
        self.tree = work / "tree"
        self.binaries = work / "build"
        self.dropped_file = work / "not-compiling.json"
        self.programs = TARGETS  # or fewer: those that are to run
        self.targets = []  # the programs, if empty
        self.found = {}
        self.writers = {}

    def files_to_mutate(self):
        return [path for path in tracked_files(self.root) if scope.module_of(path)]

    def find_mutants(self):
        wanted = self.files_to_mutate()
        units = [path for path in wanted if path.endswith(".cpp")]
        self.found = sites.find(self.root, units, wanted, arguments_for(self.root), scope.load_speed_only())
        schemata.assign_numbers(self.found)
        return [mutant for path in sorted(self.found) for mutant in self.found[path].mutants]

    # Which mutants the compiler rejects: {id: sure}. Blame is a guess where one line has several, so that each of these
    # is tried once more, alone on its line.

    def dropped(self):
        if self.dropped_file.exists():
            return json.loads(self.dropped_file.read_text(encoding="utf-8"))
        return {}

    def drop(self, ids, sure=False):
        put(self.dropped_file, json.dumps({**self.dropped(), **dict.fromkeys(ids, sure)}, indent=0).encode())

    def write(self, chosen=None, again=frozenset()):
        """Brings the tree up to date. `chosen`: ids of the only mutants wanted; `again`: not left out though dropped."""
        files = tracked_files(self.root)
        dropped = set(self.dropped()) - set(again)
        if chosen is not None:
            dropped |= {m.id for source in self.found.values() for m in source.mutants if m.id not in chosen}
        extra = self.extra_cmake()
        for path in files:
            content = (self.root / path).read_bytes()
            if path in self.found:
                self.writers[path] = schemata.write(self.found[path], dropped)
                content = b"".join(self.writers[path].parts)
            content += extra.get(path, b"")
            put(self.tree / path, content)
        put(self.tree / "mutation_runtime.cpp", (HERE / "runtime.cpp").read_bytes())
        put(self.tree / "mutation_runtime.h", (HERE / "runtime.h").read_bytes())
        expected = set(files) | {"mutation_runtime.cpp", "mutation_runtime.h"}
        for path in self.tree.rglob("*"):
            name = path.relative_to(self.tree).as_posix()
            if path.is_file() and name not in expected and not name.startswith("build/"):
                path.unlink()

    def blame(self, path, offset, line):
        relative = path[len(str(self.tree)) + 1:] if path.startswith(str(self.tree)) else ""
        writer = self.writers.get(relative)
        return writer.blame(offset, int(line)) if writer else []

    def rejected(self, path):
        """(ids to blame for the errors of one translation unit, an error that nobody is to blame for)"""
        arguments = [*arguments_for(self.tree), "-include", str(self.tree / "mutation_runtime.h")]
        unit = cindex.Index.create().parse(str(self.tree / path), args=arguments)
        bad, unexplained = set(), None
        for error in unit.diagnostics:
            if error.severity < cindex.Diagnostic.Error:
                continue
            blamed = []
            for place in (diagnostic.location for diagnostic in (error, *error.children)):
                if place.file is not None:
                    blamed = self.blame(place.file.name, place.offset, place.line)
                if blamed:
                    break
            bad |= {mutant.id for mutant in blamed}
            unexplained = unexplained or (None if blamed else str(error))  # it dies with the unit
        return bad, unexplained

    def check_syntax(self, chosen=None):
        """Lets libclang read the mutated files, and drops mutants that are no C++, until none is left."""
        everywhere = [path for path in self.found if path.endswith(".cpp")]
        self.settle(everywhere, chosen)
        known = {m.id: m for source in self.found.values() for m in source.mutants}
        while True:
            suspects = {}
            for key, sure in self.dropped().items():
                if not sure and key in known and (chosen is None or key in chosen):
                    suspects.setdefault((known[key].file, known[key].line), key)
            if not suspects:
                return
            self.write(chosen, suspects.values())
            headers = any(path.endswith(".h") for path, _ in suspects)
            units = everywhere if headers else sorted({path for path, _ in suspects})
            bad = set()
            for path in units:
                bad |= self.rejected(path)[0]
            good = {key: None for key in suspects.values() if key not in bad}
            kept = {key: sure for key, sure in self.dropped().items() if key not in good}
            kept.update(dict.fromkeys(set(suspects.values()) - set(good), True))
            put(self.dropped_file, json.dumps(kept, indent=0).encode())
            self.write(chosen)
            if good:
                self.settle(units, chosen, sure=True)

    def settle(self, pending, chosen, sure=False):
        while pending:
            bad, again, why = set(), [], None
            for path in pending:
                blamed, unexplained = self.rejected(path)
                if blamed or unexplained:
                    again.append(path)
                why = why or unexplained
                bad |= blamed
            if again and not bad:
                raise RuntimeError(f"{again[-1]} does not compile, and no mutant is to blame: {why}")
            if bad:
                self.drop(bad, sure)
                self.write(chosen)
            pending = again

    def prepare(self, jobs, chosen=None):
        is_new = not self.dropped_file.exists()
        self.write(chosen)
        if is_new:  # else the compiler will find the few that edits have brought
            self.check_syntax(chosen)
            self.drop([])
        self.build(jobs, chosen)

    def extra_cmake(self):
        """{CMake file: what to add}"""
        return dict([RUNTIME])

    def configure(self):
        flags = " ".join([*WARNINGS, "-Wno-c++11-narrowing", "-fbracket-depth=4096",
                          f"-include {self.tree}/mutation_runtime.h"])  # fmt: skip
        command = [
            "cmake", "-S", str(self.tree), "-B", str(self.binaries), "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={self.compiler}", "-DCMAKE_BUILD_TYPE=", f"-DCMAKE_CXX_FLAGS=-O2 {flags}",
            "-DCMAKE_UNITY_BUILD=OFF",  # what the compiler rejects is blamed on one file
            "-DOPCONFORM_BUILD_TESTS=ON", "-DOPCONFORM_BUILD_BENCH=OFF",
            "-DOPCONFORM_ASSERTIONS=ON",  # as in daily work: what reads beside an array is noticed
        ]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def build(self, jobs, chosen=None):
        """Builds the programs. What the compiler rejects and libclang did not is dropped here."""
        self.configure()
        for _ in range(20):
            command = ["cmake", "--build", str(self.binaries), "--parallel", str(jobs), "--target",
                       *(self.targets or self.programs)]  # fmt: skip
            result = subprocess.run([*command, "--", "-k", "0"], capture_output=True, text=True)
            if result.returncode == 0:
                return
            bad = set()
            for match in ERROR.finditer(result.stdout):
                # The error, or the first place after it that is ours: where a template was instantiated.
                for place in PLACE.finditer(result.stdout, match.start()):
                    blamed = self.blame(place[1], self.offset(*place.groups()), place[2])
                    if blamed:
                        bad |= {mutant.id for mutant in blamed}
                        break
            if not bad:
                raise RuntimeError("the mutated tree does not build:\n" + result.stdout[-6000:] + result.stderr[-2000:])
            self.drop(bad, sure=True)
            self.write(chosen)
        raise RuntimeError("the mutated tree does not build, however many mutants are left out")

    @staticmethod
    def offset(path, line, column):
        lines = Path(path).read_bytes().splitlines(keepends=True)
        return sum(len(text) for text in lines[: int(line) - 1]) + int(column) - 1


class SampleTree(Tree):
    """A tree in which few files are mutated. Only the libraries that hold them are compiled, as by the preset gcc; all
    else that the programs are linked from is that of build/gcc. Headers are left alone: what includes them would have to
    be compiled again."""

    MOST_FILES = 12
    ARCHIVE = re.compile(r"(?<= )\w+/lib(opconform_\w+)\.a(?= )")
    PROGRAM = re.compile(r"(?<= -o )\S+")

    def __init__(self, root, work, modules, size, seed):
        """`size` mutants will be drawn from it."""
        super().__init__(root, work)
        self.modules, self.seed = modules, seed
        self.files = min(size, self.MOST_FILES)
        self.binaries = self.tree / "build" / "gcc"

    def files_to_mutate(self):
        files = [path for path in super().files_to_mutate()
                 if path.endswith(".cpp") and scope.module_of(path) in self.modules]  # fmt: skip
        # The larger a file, the more of its mutants are to be seen.
        weight = {path: (self.root / path).stat().st_size for path in files}
        draw = random.Random(self.seed)
        files.sort(key=lambda path: draw.random() ** (1 / weight[path]), reverse=True)
        return sorted(files[: self.files])

    def extra_cmake(self):
        name, text = RUNTIME
        extra = {name: text}
        for path in self.found:
            top = path.split("/")[0] + "/"
            options = ";".join([*WARNINGS, "-include", f"{self.tree}/mutation_runtime.h"])
            source = path.removeprefix(top)
            extra[top + "CMakeLists.txt"] = extra.get(top + "CMakeLists.txt", b"") + (
                # As the lists of sources may write it; to CMake these are two.
                f'\nset_property(SOURCE {source} ./{source} APPEND PROPERTY COMPILE_OPTIONS "{options}")\n'
            ).encode()
        return extra

    def configure(self):
        # A library waits for none that it will be linked with.
        subprocess.run(["cmake", "--preset", "gcc", "-DOPCONFORM_BUILD_BENCH=OFF", "-DCMAKE_OPTIMIZE_DEPENDENCIES=ON"],
                       cwd=self.tree, check=True, stdout=subprocess.DEVNULL)

    @staticmethod
    def library_of(path):
        top, folder = path.split("/")[:2]
        return f"opconform_{folder if top == 'harness' else top}"

    def build(self, jobs, chosen=None):
        programs = self.root / "build" / "gcc"
        if not (programs / "build.ninja").exists():
            raise RuntimeError("a sample needs the programs of the preset gcc: tools/test builds them")
        self.targets = sorted({self.library_of(path) for path in (RUNTIME[0], *self.found)})
        super().build(jobs, chosen)
        must(["cmake", "--build", str(programs), "--parallel", str(jobs), "--target", *self.programs])
        for target in self.programs:
            link = must(["ninja", "-C", str(programs), "-t", "commands", target]).splitlines()[-1]
            (self.binaries / self.PROGRAM.search(link)[0]).parent.mkdir(parents=True, exist_ok=True)
            link = self.PROGRAM.sub(lambda found: f"{self.binaries}/{found[0]}", link)
            link = self.ARCHIVE.sub(self.archive, link)
            must(["sh", "-c", link], cwd=programs)

    def archive(self, found):
        return f"{self.binaries}/{found[0]}" if found[1] in self.targets else found[0]
