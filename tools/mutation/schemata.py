"""Writes a source file with all of its mutants in it; one number in the environment makes one of them active."""
from dataclasses import dataclass, field

from .model import LCR, NEGATION, ROR

BOOLEAN = (LCR, NEGATION, ROR)
# Numbers of a file's mutants begin at a multiple of this, so that an edit renumbers one file alone.
NUMBERS_PER_FILE = 4096
RANK = {"statement": 0, "return": 1, "expression": 2}


@dataclass
class Site:
    start: int
    end: int
    kind: str
    choices: list = field(default_factory=list)  # (mutant, text)
    inner: list = field(default_factory=list)


class Writer:
    """Text, and which mutant each part of it belongs to."""

    def __init__(self, source, live):
        self.source, self.live = source, live
        self.parts = []
        self.length = 0
        self.marks = []  # (start, end, [mutant, ...]): what was written for a mutant alone
        self.places = []  # the same of the whole place with all its mutants

    def emit(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.parts.append(data)
        self.length += len(data)

    def blame(self, offset, line):
        """The mutants that an error at that place may come from; lines are those of the source."""
        own = innermost(self.marks, offset)
        if own:
            return own
        here = [mutant for mutant in self.live if mutant.line == line]
        swaps = [mutant for mutant in here if len(mutant.edits) > 1]
        return swaps or innermost(self.places, offset) or here


def innermost(marks, offset):
    around = [(end - start, mutants) for start, end, mutants in marks if start <= offset < end]
    return min(around, key=lambda pair: pair[0])[1] if around else []


def assign_numbers(found):
    for place, path in enumerate(sorted(found)):
        mutants = found[path].mutants
        assert len(mutants) <= NUMBERS_PER_FILE, path
        for number, mutant in enumerate(mutants):
            mutant.number = place * NUMBERS_PER_FILE + number


def sites_of(mutants):
    sites = {}
    for mutant in mutants:
        for edit in mutant.edits:
            key = (edit.start, edit.end, edit.kind)
            sites.setdefault(key, Site(*key)).choices.append((mutant, edit.text))
    ordered = sorted(sites.values(), key=lambda site: (site.start, -site.end, RANK[site.kind]))
    outermost, open_sites = [], []
    for site in ordered:
        while open_sites and open_sites[-1].end <= site.start:
            open_sites.pop()
        if open_sites and site.end > open_sites[-1].end:
            raise RuntimeError(f"places of mutants cross each other at byte {site.start}")
        (open_sites[-1].inner if open_sites else outermost).append(site)
        open_sites.append(site)
    return outermost


def write(source, dropped=frozenset()):
    """A Writer with the whole file. Mutants in `dropped` are left out, and so are excluded ones."""
    live = [m for m in source.mutants if not m.excluded and m.id not in dropped]
    writer = Writer(source, live)
    _write_range(writer, 0, len(source.text), sites_of(live), source.strips)  # also where none is live: others may be
    return writer


def _write_range(writer, start, end, sites, strips=()):
    at = start
    for site in sites:
        _copy(writer, at, site.start, strips)
        _write_site(writer, site)
        at = site.end
    _copy(writer, at, end, strips)


def _copy(writer, start, end, strips):
    text = bytearray(writer.source.text[start:end])
    for first, last in strips:
        if start <= first and last <= end:
            text[first - start:last - start] = b"const    "
    writer.emit(bytes(text))


def _asks(mutant):
    return f"opconform_mutant{'' if mutant.constant_evaluated else '_now'}({mutant.number})"


def _write_site(writer, site):
    begin = writer.length
    if site.kind == "statement":
        ((mutant, _),) = site.choices
        writer.emit(f"{{ if (!{_asks(mutant)}) {{ ")
        _write_range(writer, site.start, site.end, site.inner)
        writer.emit(" } }")
    elif site.kind == "return":
        ((mutant, text),) = site.choices
        writer.emit("{ ")
        mark = writer.length
        writer.emit(f"if ({_asks(mutant)}) return {text};")
        writer.marks.append((mark, writer.length, [mutant]))
        writer.emit(" ")
        _write_range(writer, site.start, site.end, site.inner)
        writer.emit(" }")
    else:
        # Both sides of a conditional become one type: an std::optional and a bool would become an std::optional.
        cast = "static_cast<bool>" if any(mutant.operator in BOOLEAN for mutant, _ in site.choices) else ""
        writer.emit("(")
        for mutant, text in site.choices:
            mark = writer.length
            writer.emit(f"{_asks(mutant)} ? {cast}({text}) : ")
            writer.marks.append((mark, writer.length, [mutant]))
        writer.emit(f"{cast}(")
        _write_range(writer, site.start, site.end, site.inner)
        writer.emit("))")
    writer.places.append((begin, writer.length, [mutant for mutant, _ in site.choices]))
