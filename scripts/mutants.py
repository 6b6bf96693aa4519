"""Finds the small changes that `mutate.py` makes: one operator, number, direction or statement at a time."""

from __future__ import annotations

import ast
import contextlib
import math
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "**": "*", "@": "*"}
COMPARISONS = {
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
    "==": ("!=",),
    "!=": ("==",),
    "is": ("is not",),
    "is not": ("is",),
    "in": ("not in",),
    "not in": ("in",),
}
DIRECTIONS = [("min", "max"), ("minimum", "maximum"), ("fmin", "fmax"), ("up", "down"), ("ceil", "floor")]
DIRECTIONS += [("ceiling", "floor"), ("upper", "lower"), ("raised", "lowered"), ("upward", "downward")]
OPPOSITE = {b: a for a, b in DIRECTIONS} | dict(DIRECTIONS)
TYPING = {"TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "TypeAlias", "cast"}


@dataclass(frozen=True)
class Mutant:
    """One change: `edits` are (start, end, replacement) in bytes of the file."""

    file: str
    line: int
    kind: str
    edits: tuple[tuple[int, int, str], ...]

    def apply(self, source: bytes) -> bytes:
        for start, end, text in sorted(self.edits, reverse=True):
            source = source[:start] + text.encode() + source[end:]
        return source

    def shown(self, source: bytes) -> tuple[str, str]:
        """Return the first line that differs, before and after."""
        before, after = source.decode().splitlines(), self.apply(source).decode().splitlines()
        pairs = [(a, b) for a, b in zip(before, after, strict=False) if a != b and not a.startswith("from ")]
        return pairs[0][0].strip(), pairs[0][1].strip()


class Finder:
    """Collects every mutant of one file, named by its path in the repository."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file = file
        self.source = source
        self.tree = ast.parse(self.source)
        self.starts = [0, *(m.end() for m in re.finditer(b"\n", self.source))]
        self.found: list[Mutant] = []
        self.functions = {node.name for node in self.tree.body if isinstance(node, ast.FunctionDef)}
        self.imports = {
            alias.asname or alias.name: node
            for node in self.tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }

    def mutants(self) -> list[Mutant]:
        self.body(self.tree)
        original = ast.dump(self.tree)
        kept = []
        for mutant in dict.fromkeys(self.found):
            with contextlib.suppress(SyntaxError):
                if ast.dump(ast.parse(mutant.apply(self.source))) != original:
                    kept.append(mutant)
        return sorted(kept, key=lambda m: (m.line, m.edits))

    # Where things stand in the file.

    def at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column

    def start(self, node: ast.AST) -> int:
        return self.at(node.lineno, node.col_offset)  # type: ignore[attr-defined]  # expressions and statements have it

    def end(self, node: ast.AST) -> int:
        return self.at(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]  # as above

    def add(self, kind: str, node: ast.AST, *edits: tuple[int, int, str]) -> None:
        self.found.append(Mutant(self.file, node.lineno, kind, edits))  # type: ignore[attr-defined]  # as above

    def token(self, left: ast.AST, right: ast.AST) -> tuple[int, int, str]:
        """Return start, end and text of the operator between two nodes; brackets and comments may stand there too."""
        start = self.end(left)
        between = re.sub(rb"#[^\n]*", lambda m: b" " * len(m[0]), self.source[start : self.start(right)])
        match = re.search(rb"is\s+not\b|not\s+in\b|[a-z]+|[^\s()\\]+", between)
        assert match, between
        return start + match.start(), start + match.end(), " ".join(match[0].decode().split())

    # The walk. Strings, messages, annotations, decorators and typing machinery are left alone.

    def body(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            self.visit(child)

    def visit(self, node: ast.AST) -> None:
        method = getattr(self, f"on_{type(node).__name__.lower()}", None)
        (method or self.body)(node)

    def skip(self, node: ast.AST) -> None:
        """Leave this node and all below it alone."""

    on_joinedstr = on_raise = on_import = on_importfrom = skip

    def on_functiondef(self, node: ast.FunctionDef) -> None:
        for part in [*node.args.defaults, *(d for d in node.args.kw_defaults if d), *node.body]:
            self.visit(part)

    def on_classdef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def on_assign(self, node: ast.Assign) -> None:
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        if not any(name.startswith("__") for name in names):
            self.visit(node.value)

    def on_if(self, node: ast.If) -> None:
        if "TYPE_CHECKING" not in ast.dump(node.test):
            self.body(node)

    def on_for(self, node: ast.For) -> None:
        # `for _ in range(n)` is a cap on rounds: one more changes nothing, so it is not drawn.
        if not (isinstance(node.target, ast.Name) and node.target.id == "_"):
            self.visit(node.iter)
        for part in [*node.body, *node.orelse]:
            self.visit(part)

    def on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, (ast.Constant, ast.Yield, ast.YieldFrom)):
            self.add("statement removed", node, (self.start(node), self.end(node), "pass"))
            self.body(node)

    def on_augassign(self, node: ast.AugAssign) -> None:
        self.add("statement removed", node, (self.start(node), self.end(node), "pass"))
        start, end, text = self.token(node.target, node.value)
        if text[:-1] in ARITHMETIC:
            self.add("arithmetic", node, (start, end, ARITHMETIC[text[:-1]] + "="))
        self.visit(node.value)

    def on_binop(self, node: ast.BinOp) -> None:
        start, end, text = self.token(node.left, node.right)
        if text in ARITHMETIC:
            self.add("arithmetic", node, (start, end, ARITHMETIC[text]))
        self.body(node)

    def on_compare(self, node: ast.Compare) -> None:
        operands = [node.left, *node.comparators]
        for left, right in pairwise(operands):
            start, end, text = self.token(left, right)
            for other in COMPARISONS[text]:
                self.add("comparison", node, (start, end, other))
        self.body(node)

    def on_boolop(self, node: ast.BoolOp) -> None:
        swap = {"and": "or", "or": "and"}
        tokens = [self.token(a, b) for a, b in pairwise(node.values)]
        self.add("and/or", node, *((start, end, swap[text]) for start, end, text in tokens))
        self.body(node)

    def on_unaryop(self, node: ast.UnaryOp) -> None:
        start = self.start(node)
        if isinstance(node.op, ast.Not):
            self.add("not removed", node, (start, start + 3, ""))
        elif isinstance(node.op, ast.USub):
            self.add("minus removed", node, (start, start + 1, ""))
        self.body(node)

    def on_constant(self, node: ast.Constant) -> None:
        value = node.value
        if type(value) is int:
            others: list[float] = [value + 1]
        elif type(value) is float:
            others = [value * 2, value * 1.001] if value else [1.0]
        else:
            return
        for other in others:
            if math.isfinite(other) and other != value:
                self.add("number", node, (self.start(node), self.end(node), repr(other)))

    def on_call(self, node: ast.Call) -> None:
        if not (isinstance(node.func, ast.Name) and node.func.id in TYPING):
            self.body(node)

    def on_attribute(self, node: ast.Attribute) -> None:
        other = "ceil" if node.attr == "floor" else opposite(node.attr)  # math and numpy say ceil, ours say ceiling
        if other:
            self.add("direction", node, (self.end(node) - len(node.attr.encode()), self.end(node), other))
        self.body(node)

    def on_name(self, node: ast.Name) -> None:
        other = opposite(node.id)
        if not other or not isinstance(node.ctx, ast.Load):
            return
        swap = (self.start(node), self.end(node), other)
        if node.id in ("min", "max") or {node.id, other} <= self.functions | self.imports.keys():
            self.add("direction", node, swap)
        elif node.id in self.imports and other in exports(self.imports[node.id].module):
            line = self.imports[node.id]
            self.add("direction", node, swap, (self.end(line), self.end(line), f"; from {line.module} import {other}"))


def opposite(name: str) -> str | None:
    """Return the name with its direction turned round, if it has one: kl_inverse_upper becomes kl_inverse_lower."""
    words = name.split("_")
    turned = [OPPOSITE.get(word, word) for word in words]
    return "_".join(turned) if turned != words else None


def exports(module: str | None) -> set[str]:
    """Return the functions a module of ours defines."""
    path = ROOT / "src" / f"{(module or '').replace('.', '/')}.py"
    if not path.is_file():
        return set()
    return {node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)}
