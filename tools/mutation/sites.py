"""Finds the places that can be mutated, and what each can become, in the syntax tree that libclang gives."""
import hashlib
import re

from clang import cindex
from clang.cindex import CursorKind as Kind, TypeKind

from . import scope
from .expressions import Expressions
from .model import (
    NEGATION, BOUND, DELETION, RETURN, OPERATORS, RELATIONAL, INTEGERS, LITERAL, FUNCTIONS, JUMPS,
    COMMENT, Edit, Context, SourceFile, one_line, exclude, peel, is_first_enumerator, is_message_type,
)  # fmt: skip


CLASSES = (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE)


class Finder(Expressions):
    """Walks the part of one translation unit that lies in the wanted files."""

    def __init__(self, root, wanted, speed_only):
        self.root = str(root) + "/"
        self.wanted = wanted  # path -> SourceFile, those still to be done
        self.speed_only = speed_only
        self.file = None
        self.macros = {}

    def run(self, unit):
        for cursor in unit.cursor.get_children():
            path = self.path_of(cursor)
            if cursor.kind == Kind.MACRO_INSTANTIATION and path in self.wanted:
                extent = cursor.extent
                self.macros.setdefault(path, []).append((extent.start.offset, extent.end.offset, cursor.spelling))
        for cursor in unit.cursor.get_children():
            path = self.path_of(cursor)
            if path in self.wanted and not cursor.kind.is_preprocessing():
                self.file = self.wanted[path]
                self.walk(cursor, Context())

    def path_of(self, cursor):
        place = cursor.location.file
        name = place.name if place else ""
        return name[len(self.root):] if name.startswith(self.root) else ""

    def is_speed_only(self, function):
        """What is passed to such a function, and whether it is called, matters as little as what it does."""
        if function is None:
            return False
        parent = function.semantic_parent
        owner = parent.spelling + "::" if parent is not None and parent.kind in CLASSES else ""
        return (self.path_of(function), owner + function.spelling) in self.speed_only or (
            # Declared in a header, defined elsewhere.
            owner != "" and any(name == owner + function.spelling for _, name in self.speed_only))

    # The walk.

    def walk(self, cursor, context):
        kind = cursor.kind
        if kind in FUNCTIONS:
            return self.function(cursor, context)
        if kind in (Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.TYPE_ALIAS_DECL, Kind.USING_DECLARATION,
                    Kind.CXX_UNARY_EXPR):  # fmt: skip
            return None
        if kind in (Kind.VAR_DECL, Kind.FIELD_DECL, Kind.PARM_DECL):
            return self.variable(cursor, context)
        if kind == Kind.CASE_STMT:
            children = list(cursor.get_children())
            self.statement(children[-1], context)
            return None
        if kind == Kind.DEFAULT_STMT:
            for child in cursor.get_children():
                self.statement(child, context)
            return None
        if kind == Kind.COMPOUND_STMT:
            for child in cursor.get_children():
                self.statement(child, context)
            return None
        handler = {
            Kind.IF_STMT: self.if_statement,
            Kind.FOR_STMT: self.for_statement,
            Kind.WHILE_STMT: self.while_statement,
            Kind.DO_STMT: self.do_statement,
            Kind.CXX_FOR_RANGE_STMT: self.range_for,
            Kind.RETURN_STMT: self.return_statement,
        }.get(kind)
        if handler:
            return handler(cursor, context)
        if kind.is_expression():
            return self.expression(cursor, context)
        for child in cursor.get_children():
            inner = context
            if kind in (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE):
                inner = Context(cursor.spelling, context.constexpr, context.excluded)
            self.walk(child, inner)
        return None

    def function(self, cursor, context):
        body = [child for child in cursor.get_children() if child.kind == Kind.COMPOUND_STMT]
        if not body:
            return
        place = self.range_of(body[-1]) or (body[-1].extent.start.offset, 0)
        head = self.file.slice(cursor.extent.start.offset, place[0])
        parent = cursor.semantic_parent
        owner = ""
        if parent is not None and parent.kind in CLASSES:
            owner = parent.spelling + "::"
        name = owner + cursor.spelling.split("<")[0]
        if not scope.is_in_scope(self.file.path, name):
            return
        if re.search(r"\bconsteval\b", head):
            context = Context(name, True, scope.COMPILE_TIME)
        excluded = context.excluded
        if cursor.result_type.get_canonical().spelling == "std::basic_string<char>":
            if self.file.path not in scope.TEXT_IS_CONTENT:
                excluded = scope.MESSAGE
        if cursor.spelling in scope.MESSAGE_FUNCTIONS.get(self.file.path, ()):
            excluded = scope.MESSAGE
        if (self.file.path, name) in self.speed_only:
            excluded = scope.SPEED
        if self.file.path == "optimized/tuning.h":
            excluded = scope.TUNING
        gives_reference = cursor.result_type.get_canonical().kind == TypeKind.LVALUEREFERENCE
        constexpr = bool(re.search(r"\bconstexpr\b", head))
        if constexpr and not owner and self.file.path.endswith(".cpp") and scope.has_runtime_tables(self.file.path):
            self.strip_constexpr(cursor.extent.start.offset, head)  # it makes a part of a table
            constexpr = False
        inner = Context(name, constexpr, excluded, gives_reference=gives_reference, noreturn=self.is_noreturn(cursor))
        for child in cursor.get_children():
            in_type = child.extent.start.offset < cursor.location.offset
            self.walk(child, exclude(inner, scope.COMPILE_TIME) if in_type else inner)

    def is_noreturn(self, cursor):
        """Of a definition: the attribute stands before what libclang takes for its beginning."""
        return self.file.slice(0, cursor.extent.start.offset).rstrip().endswith("[[noreturn]]")

    def strip_constexpr(self, start, head):
        at = start + head.encode().index(b"constexpr")
        self.file.strips.append((at, at + len("constexpr")))

    def variable(self, cursor, context):
        """The initialiser, which comes behind the name; what comes before it belongs to the type."""
        place = self.range_of(cursor)
        if place is None or not scope.is_in_scope(self.file.path, context.function):
            return
        head = self.file.slice(place[0], cursor.location.offset)
        inner = context
        at_namespace = context.function == ""
        is_field = cursor.kind == Kind.FIELD_DECL
        if "constexpr" in head:
            class_type = cursor.type.get_canonical().kind not in INTEGERS
            in_class = cursor.semantic_parent.kind in (Kind.CLASS_DECL, Kind.STRUCT_DECL, Kind.CLASS_TEMPLATE)
            if class_type and not in_class and scope.has_runtime_tables(self.file.path):
                self.strip_constexpr(place[0], head)
                inner = Context(cursor.spelling, False, context.excluded, True)
            else:
                inner = Context(context.function or cursor.spelling, True, scope.COMPILE_TIME)
        elif is_field or cursor.kind == Kind.PARM_DECL:
            inner = Context(context.function, True, context.excluded)
        elif at_namespace:
            inner = Context(cursor.spelling, False, context.excluded, True)
        if self.file.path == "optimized/tuning.h":
            inner = Context(cursor.spelling, True, scope.TUNING)
        if is_message_type(cursor.type) and self.file.path not in scope.TEXT_IS_CONTENT:
            inner = Context(inner.function, inner.constexpr, inner.excluded or scope.MESSAGE, inner.table)
        for child in cursor.get_children():
            if child.extent.start.offset > cursor.location.offset:
                between = self.file.slice(cursor.location.offset, child.extent.start.offset)
                in_bound = re.fullmatch(r"\w+\s*\[\s*", between)  # of an array
                self.walk(child, exclude(inner, scope.COMPILE_TIME) if in_bound else inner)

    # Statements.

    def statement(self, cursor, context):
        """A statement that could be left out."""
        kind = cursor.kind
        inner = context
        if kind.is_expression() or kind in JUMPS:
            place = self.range_of(cursor)
            if place is not None:
                match = re.compile(rb"\s*;").match(self.file.text, place[1])
                text = self.file.slice(*place)
                if is_message_type(cursor.type) and self.file.path not in scope.TEXT_IS_CONTENT:
                    inner = exclude(context, scope.MESSAGE)
                if kind == Kind.CALL_EXPR and self.is_speed_only(cursor.referenced):
                    inner = exclude(context, scope.SPEED)
                if re.match(r"(__builtin|_mm)_prefetch\b|prefetch\(", text):
                    inner = exclude(context, scope.PREFETCH)
                if match and not text.startswith(("assert", "static_cast<void>")):
                    edit = Edit(place[0], match.end(), "statement", "")
                    deleted = exclude(inner, scope.UNDEFINED) if context.noreturn else inner
                    self.add(cursor, deleted, DELETION, "", [edit], one_line(text) + ";")
        self.walk(cursor, inner)

    def condition(self, cursor, context, is_loop=False):
        text = self.text_of(cursor)
        core = peel(cursor)
        if text is not None:
            operator = self.operator_of(core)
            overloaded = core.kind == Kind.CALL_EXPR and core.spelling.startswith("operator")
            negated = core.kind == Kind.UNARY_OPERATOR and text.startswith("!")
            if operator not in RELATIONAL and operator not in ("&&", "||") and not negated and not overloaded:
                self.add(cursor, context, NEGATION, f"!({text})")
            if is_loop and operator in ("<", "<=", ">", ">="):
                self.narrow(core, operator, context)
        self.walk(cursor, context)

    def narrow(self, core, operator, context):
        """One step less in a loop."""
        left, right = (self.text_of(child) for child in core.get_children())
        if left is None or right is None or LITERAL.match(right) or "--" in left or "++" in left:
            return
        if operator in ("<", "<="):
            self.add(core, context, BOUND, f"{left} + 1 {operator} {right}")
        else:
            self.add(core, context, BOUND, f"{left} {operator} {right} + 1")

    def if_statement(self, cursor, context):
        children = list(cursor.get_children())
        head = self.file.slice(cursor.extent.start.offset, cursor.extent.start.offset + 20)
        has_else = False
        if len(children) > 2:
            between = self.file.slice(children[-2].extent.end.offset, children[-1].extent.start.offset)
            has_else = bool(re.search(r"\belse\b", COMMENT.sub("", between)))
        bodies = children[-2:] if has_else else children[-1:]
        heads = children[: len(children) - len(bodies)]
        if re.match(r"if\s+constexpr", head):
            for child in heads:
                self.walk(child, exclude(context, scope.COMPILE_TIME))
        else:
            for child in heads[:-1]:
                self.walk(child, context)
            if heads:
                if heads[-1].kind.is_expression():
                    self.condition(heads[-1], context)
                else:
                    self.walk(heads[-1], context)
        for body in bodies:
            self.statement(body, context)

    def for_statement(self, cursor, context):
        children = list(cursor.get_children())
        *parts, body = children
        semicolons = self.semicolons(cursor)
        for part in parts:
            if semicolons and semicolons[0] < part.extent.start.offset <= semicolons[1]:
                self.condition(part, context, is_loop=True)
            else:
                self.walk(part, context)
        self.statement(body, context)

    def semicolons(self, cursor):
        """Where the two semicolons of a for statement's head are."""
        depth = 0
        found = []
        for at in range(cursor.extent.start.offset, cursor.extent.end.offset):
            byte = self.file.text[at:at + 1]
            depth += byte in b"({[" and byte != b""
            depth -= byte in b")}]" and byte != b""
            if byte == b";" and depth == 1:
                found.append(at)
                if len(found) == 2:
                    return found
        return None

    def while_statement(self, cursor, context):
        *heads, body = cursor.get_children()
        for head in heads:
            if head.kind.is_expression():
                self.condition(head, context, is_loop=True)
            else:
                self.walk(head, context)
        self.statement(body, context)

    def do_statement(self, cursor, context):
        body, head = cursor.get_children()
        self.statement(body, context)
        self.condition(head, context, is_loop=True)

    def range_for(self, cursor, context):
        children = list(cursor.get_children())
        for child in children[:-1]:
            self.walk(child, context)
        self.statement(children[-1], context)

    def return_statement(self, cursor, context):
        children = list(cursor.get_children())
        place = self.range_of(cursor)
        end = re.compile(rb"\s*;").match(self.file.text, place[1]) if place else None
        if not children:
            if end:
                edit = Edit(place[0], end.end(), "statement", "")
                self.add(cursor, context, DELETION, "", [edit], "return;")
            return
        value = children[0]
        inner = context
        if is_message_type(value.type) and self.file.path not in scope.TEXT_IS_CONTENT:
            inner = exclude(context, scope.MESSAGE)
        text = self.text_of(value)
        core = peel(value)
        if text is not None and end:
            canonical = value.type.get_canonical().kind
            operator = self.operator_of(core)
            if canonical == TypeKind.VOID:
                self.add(cursor, inner, DELETION, "return", [Edit(place[0], end.end(), "return", "")])
            elif canonical == TypeKind.BOOL:
                overloaded = core.kind == Kind.CALL_EXPR and core.spelling.startswith("operator")
                plain = core.kind == Kind.CXX_BOOL_LITERAL_EXPR or text.startswith("!")
                if operator not in RELATIONAL and operator not in ("&&", "||") and not plain and not overloaded:
                    self.add(value, inner, RETURN, f"!({text})")
            elif is_first_enumerator(core) or context.gives_reference:
                pass  # {} would be the same, or refer to what is gone
            elif not LITERAL.match(text) and one_line(text) not in ("{}", "nullptr", "std::nullopt", '""') and (
                    not re.fullmatch(r"\*this|[\w:<>]+\{\}", one_line(text))):  # fmt: skip
                edit = Edit(place[0], end.end(), "return", "{}")
                self.add(cursor, inner, RETURN, "return {}", [edit])
        self.walk(value, inner)


def finish(source):
    """Drops doubles and gives each mutant its id: what it is, not where."""
    seen = set()
    ordinals = {}
    kept = []
    order = lambda m: (m.edits[0].start, m.edits[0].end, OPERATORS.index(m.operator), m.after)  # noqa: E731
    for mutant in sorted(source.mutants, key=order):
        key = tuple((edit.start, edit.end, edit.kind, edit.text) for edit in mutant.edits)
        if key in seen:
            continue
        seen.add(key)
        what = (mutant.file, mutant.function, mutant.operator, mutant.before, mutant.after)
        ordinals[what] = ordinals.get(what, 0) + 1
        mutant.id = hashlib.sha1("\0".join((*what, str(ordinals[what]))).encode()).hexdigest()[:10]
        kept.append(mutant)
    source.mutants = kept


def find(root, units, files, arguments, speed_only):
    """{path: SourceFile} of all files in scope. `units` are the translation units to parse."""
    index = cindex.Index.create()
    found = {}
    for unit_path in units:
        wanted = {path: SourceFile(path, (root / path).read_bytes()) for path in files if path not in found}
        if not wanted:
            break
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        unit = index.parse(str(root / unit_path), args=arguments, options=options)
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            raise RuntimeError(f"{unit_path} does not compile: {errors[0]}")
        included = {unit_path} | {
            i.include.name[len(str(root)) + 1:] for i in unit.get_includes() if i.include.name.startswith(str(root))}  # fmt: skip
        wanted = {path: source for path, source in wanted.items() if path in included}
        Finder(root, wanted, speed_only).run(unit)
        for path, source in wanted.items():
            finish(source)
            found[path] = source
    return found
