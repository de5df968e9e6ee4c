"""Places in expressions. Base of the walk in sites.py."""
import re

from clang.cindex import CursorKind as Kind

from . import scope
from .model import (
    ROR, AOR, LCR, NEGATION, CONSTANT, BOUND, DELETION, SWAP, BITWISE, INCREMENT, RELATIONAL,
    ARITHMETIC, BITS, COMPOUND, COMMUTATIVE, INTEGERS, DEPENDENT, LITERAL, FUNCTIONS, COMMENT, Edit,
    Mutant, one_line, exclude, is_tuned, without_const, peel, is_message_type,
)  # fmt: skip


class Expressions:
    """Needs of its heir: file, macros, condition() and walk()."""

    # Places and texts.

    def range_of(self, cursor):
        """The cursor's bytes; None where a macro makes them, or a directive lies in them."""
        extent = cursor.extent
        start, end = extent.start.offset, extent.end.offset
        if end <= start or end > len(self.file.text):
            return None
        for first, last, _ in self.macros.get(self.file.path, ()):
            if first <= start < last and not (first <= start and end > last and start == first):
                return None
            if first < end < last:
                return None
        if re.search(rb"^\s*#", self.file.text[start:end], re.MULTILINE):
            return None
        return start, end

    def text_of(self, cursor):
        place = self.range_of(cursor)
        return None if place is None else self.file.slice(*place)

    def add(self, cursor, context, operator, after, edits=None, before=None):
        place = self.range_of(cursor)
        if place is None:
            return
        before = one_line(self.file.slice(*place)) if before is None else before
        edits = edits or [Edit(*place, "expression", after)]
        for edit in edits:
            edit.text = one_line(edit.text)
        if "//" in "".join(edit.text for edit in edits):
            return
        line = self.file.text.count(b"\n", 0, place[0]) + 1
        self.file.mutants.append(
            Mutant(self.file.path, line, context.function, operator, before, one_line(after), edits,
                   context.constexpr, context.excluded))  # fmt: skip

    # Expressions.

    def operator_of(self, cursor):
        if cursor.kind not in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
            return None
        children = list(cursor.get_children())
        if len(children) != 2:
            return None
        left, right = (self.range_of(child) for child in children)
        if left is None or right is None:
            return None
        return COMMENT.sub("", self.file.slice(left[1], right[0])).strip()

    def expression(self, cursor, context):
        kind = cursor.kind
        text = self.text_of(cursor)
        if is_message_type(cursor.type) and self.file.path not in scope.TEXT_IS_CONTENT:
            context = exclude(context, scope.MESSAGE)
        if text is not None:
            if kind == Kind.BINARY_OPERATOR:
                self.binary(cursor, context)
            elif kind == Kind.COMPOUND_ASSIGNMENT_OPERATOR:
                self.compound(cursor, context)
            elif kind == Kind.UNARY_OPERATOR:
                self.unary(cursor, text, context)
            elif kind == Kind.CONDITIONAL_OPERATOR:
                head, *rest = cursor.get_children()
                self.condition(head, context)
                for child in rest:
                    self.walk(child, context)
                return
            elif kind == Kind.INTEGER_LITERAL:
                self.literal(cursor, text, context)
            elif kind == Kind.CXX_BOOL_LITERAL_EXPR:
                self.add(cursor, context, CONSTANT, "false" if text == "true" else "true")
            elif kind == Kind.DECL_REF_EXPR:
                self.reference(cursor, text, context)
                return  # template arguments are of no use to schemata
            elif kind == Kind.INIT_LIST_EXPR:
                self.swaps(cursor, list(cursor.get_children()), context)
            elif kind == Kind.CXX_THROW_EXPR:
                context = exclude(context, scope.MESSAGE)
            elif kind == Kind.CALL_EXPR:
                return self.call(cursor, text, context)
        for child in cursor.get_children():
            self.walk(child, context)

    def binary(self, cursor, context):
        operator = self.operator_of(cursor)
        left, right = (self.text_of(child) for child in cursor.get_children())
        if left is None or right is None or operator is None:
            return
        for table, name in ((RELATIONAL, ROR), (ARITHMETIC, AOR), (BITS, BITWISE)):
            for other in table.get(operator, ()):
                boundary = len(other.replace("=", "")) == len(operator.replace("=", "")) == 1 and other[0] == operator[0]
                tuned = boundary and any(is_tuned(peel(child).referenced) for child in cursor.get_children())
                inner = exclude(context, scope.TUNING) if tuned else context
                self.add(cursor, inner, name, f"{left} {other} {right}")
        if operator in ("&&", "||"):
            self.add(cursor, context, LCR, f"({left}) {'||' if operator == '&&' else '&&'} ({right})")
            self.add(cursor, context, LCR, left)
            self.add(cursor, context, LCR, right)

    def compound(self, cursor, context):
        operator = self.operator_of(cursor)
        left, right = (self.text_of(child) for child in cursor.get_children())
        others, name = COMPOUND.get(operator, ((), None))
        for other in others:
            self.add(cursor, context, name, f"{left} {other} {right}")

    def unary(self, cursor, text, context):
        operand = next(cursor.get_children())
        place, inner = self.range_of(operand), self.text_of(operand)
        if inner is None:
            return
        whole = self.range_of(cursor)
        operator = self.file.slice(whole[0], place[0]).strip()
        if operator == "!":
            self.add(cursor, context, NEGATION, f"({inner})")
        elif operator in ("++", "--"):
            self.add(cursor, context, INCREMENT, ("--" if operator == "++" else "++") + inner)
        elif operator == "" and text.endswith(("++", "--")):
            self.add(cursor, context, INCREMENT, inner + ("--" if text.endswith("++") else "++"))
        elif operator == "-":
            self.add(cursor, context, AOR, inner)
        elif operator == "~":
            self.add(cursor, context, BITWISE, inner)

    def literal(self, cursor, text, context):
        match = LITERAL.match(text)
        if not match:
            return
        digits = match[1].replace("'", "")
        value = int(digits, 8 if digits.startswith("0") and digits.isdigit() and len(digits) > 1 else 0)
        self.add(cursor, context, CONSTANT, f"{value + 1}{match[2]}")
        if value > 0:
            self.add(cursor, context, CONSTANT, f"{value - 1}{match[2]}")

    def reference(self, cursor, text, context):
        target = cursor.referenced
        if target is not None and target.kind == Kind.ENUM_CONSTANT_DECL:
            names = [c.spelling for c in target.semantic_parent.get_children() if c.kind == Kind.ENUM_CONSTANT_DECL]
            following = names[(names.index(target.spelling) + 1) % len(names)]
            if following != target.spelling and text.endswith(target.spelling):
                self.add(cursor, context, CONSTANT, text[: -len(target.spelling)] + following)
            return
        if target is not None and target.kind in FUNCTIONS:
            if context.table and text != "":
                self.add(cursor, context, DELETION, "nullptr")
            return
        name = text.split("::")[-1]
        kind = cursor.type.get_canonical().kind
        if re.match(r"k[A-Z]\w*(<[\w:]+>)?$", name) and (kind in INTEGERS or ("<" in name and kind in DEPENDENT)):
            if is_tuned(target):
                context = exclude(context, scope.TUNING)
            self.add(cursor, context, CONSTANT, f"({text} + 1)")
            self.add(cursor, context, CONSTANT, f"({text} - 1)")

    def call(self, cursor, text, context):
        children = list(cursor.get_children())
        name = cursor.spelling
        if self.is_speed_only(cursor.referenced):
            context = exclude(context, scope.SPEED)
        arguments = [a for a in cursor.get_arguments() if a is not None and self.range_of(a)]
        if name.startswith("operator"):
            symbol = name[len("operator"):]
            if symbol in RELATIONAL and len(arguments) == 2:
                self.add(cursor, context, ROR, f"!({text})")
            elif symbol in COMPOUND and len(arguments) == 2:
                pass
        else:
            callee = text.split("(")[0].split("<")[0].split("::")[-1].strip()
            if callee in ("min", "max"):
                other = "max" if callee == "min" else "min"
                self.add(cursor, context, BOUND, re.sub(r"\b(min|max)\b", other, text, count=1))
            if not COMMUTATIVE.match(callee):
                self.swaps(cursor, arguments, context)
            if callee in scope.MESSAGE_CALLS.get(self.file.path, ()):
                context = exclude(context, scope.MESSAGE)
            if callee in ("prefetch", "_mm_prefetch", "__builtin_prefetch"):
                context = exclude(context, scope.PREFETCH)
        is_report = name in ("add", "add_undecided") and re.match(r"violations\.", text)
        seen = set()
        for child in children:
            place = (child.extent.start.offset, child.extent.end.offset)
            inner = context
            if is_report and arguments and child.extent.start.offset >= arguments[0].extent.start.offset:
                inner = exclude(context, scope.MESSAGE)
            if (place, child.kind) not in seen:
                self.walk(child, inner)
            seen.add((place, child.kind))

    def without_designator(self, place):
        match = re.compile(rb"\.\w+\s*=\s*").match(self.file.text, *place)
        return (match.end(), place[1]) if match else place

    def swaps(self, cursor, arguments, context):
        for left, right in zip(arguments, arguments[1:]):
            ranges = (self.range_of(left), self.range_of(right))
            if None in ranges or ranges[0][1] > ranges[1][0]:
                continue
            ranges = [self.without_designator(place) for place in ranges]
            texts = [self.file.slice(*place) for place in ranges]
            kinds = [without_const(a.type.get_canonical().spelling) for a in (left, right)]
            # What they were converted from must be one type as well: a conditional of the two has one type.
            cores = [without_const(peel(a).type.get_canonical().spelling) for a in (left, right)]
            if kinds[0] != kinds[1] or cores[0] != cores[1] or kinds[0] == "" or texts[0] == texts[1]:
                continue
            if "{" in (texts[0][0], texts[1][0]) or kinds[0].startswith("char") and '"' in texts[0]:
                continue
            if is_message_type(left.type) and self.file.path not in scope.TEXT_IS_CONTENT:
                continue
            edits = [Edit(*ranges[0], "expression", texts[1]), Edit(*ranges[1], "expression", texts[0])]
            before = f"{one_line(texts[0])}, {one_line(texts[1])}"
            self.add(cursor, context, SWAP, f"{one_line(texts[1])}, {one_line(texts[0])}", edits, before)
