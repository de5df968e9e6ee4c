"""What a mutant is, and what each mutation operator puts in place of what."""
import re
from dataclasses import dataclass, field, replace

from clang.cindex import CursorKind as Kind, TypeKind

ROR = "relational operator replacement"
AOR = "arithmetic operator replacement"
LCR = "logical connector replacement"
NEGATION = "condition negation"
CONSTANT = "constant replacement"
BOUND = "bound change"
DELETION = "statement deletion"
SWAP = "argument swap"
RETURN = "return value replacement"
BITWISE = "bitwise and shift replacement"
INCREMENT = "increment replacement"
OPERATORS = [ROR, AOR, LCR, NEGATION, CONSTANT, BOUND, DELETION, SWAP, RETURN, BITWISE, INCREMENT]

# Boundary and negation. Other replacements are killed by whatever kills these.
RELATIONAL = {
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
}  # fmt: skip
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"]}
BITS = {"&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"]}
COMPOUND = {
    "+=": (["-=", "="], AOR), "-=": (["+=", "="], AOR), "*=": (["/=", "="], AOR), "/=": (["*="], AOR),
    "%=": (["*="], AOR), "&=": (["|=", "="], BITWISE), "|=": (["&=", "="], BITWISE), "^=": (["&="], BITWISE),
    "<<=": ([">>="], BITWISE), ">>=": (["<<="], BITWISE),
}  # fmt: skip
# Swapping the arguments of these changes nothing.
COMMUTATIVE = re.compile(r"(max|min|least|gcd|bytes|__builtin_(add|mul)_overflow|_mm\w*_(add|and|or|xor|mul|cmpeq|max|min)_\w+)$")
INTEGERS = {
    TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG,
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG,
}  # fmt: skip
DEPENDENT = {TypeKind.DEPENDENT, TypeKind.UNEXPOSED, TypeKind.AUTO}
LITERAL = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)([uUlLzZ]*)$")
FUNCTIONS = {
    Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.DESTRUCTOR, Kind.CONVERSION_FUNCTION,
    Kind.FUNCTION_TEMPLATE,
}  # fmt: skip
JUMPS = {Kind.BREAK_STMT, Kind.CONTINUE_STMT}
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


@dataclass
class Edit:
    start: int
    end: int
    kind: str  # expression, statement, return
    text: str  # what the expression becomes


@dataclass
class Mutant:
    file: str
    line: int
    function: str
    operator: str
    before: str
    after: str
    edits: list
    constant_evaluated: bool  # the place may be evaluated by the compiler
    excluded: str = ""
    id: str = ""
    number: int = -1


@dataclass(frozen=True)
class Context:
    function: str = ""
    constexpr: bool = False
    excluded: str = ""
    table: bool = False  # in the initialiser of a namespace-scope table
    gives_reference: bool = False  # the function does
    noreturn: bool = False  # the function is declared so


@dataclass
class SourceFile:
    path: str
    text: bytes
    mutants: list = field(default_factory=list)
    strips: list = field(default_factory=list)  # places of a constexpr that has to go

    def slice(self, start, end):
        return self.text[start:end].decode("utf-8")


def one_line(text):
    return re.sub(r"\s+", " ", COMMENT.sub(" ", text)).strip()


def exclude(context, reason):
    return replace(context, excluded=context.excluded or reason)


def without_const(spelling):
    """The type of a value: its own const and reference do not matter, those of what it points to do."""
    spelling = re.sub(r"(\s*(&|\bconst))+$", "", spelling)
    return spelling if "*" in spelling else re.sub(r"^const ", "", spelling)


def peel(cursor):
    """The expression within implicit conversions and parentheses."""
    while cursor.kind in (Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR):
        children = list(cursor.get_children())
        if len(children) != 1:
            return cursor
        cursor = children[0]
    return cursor


def is_first_enumerator(cursor):
    target = cursor.referenced if cursor.kind == Kind.DECL_REF_EXPR else None
    return target is not None and target.kind == Kind.ENUM_CONSTANT_DECL and target.enum_value == 0


def is_tuned(target):
    """A constant of optimized/tuning.h."""
    place = target.location.file if target is not None else None
    return place is not None and place.name.endswith("optimized/tuning.h")


def is_message_type(kind):
    return kind.get_canonical().spelling in ("std::basic_string<char>", "const std::basic_string<char>")
