"""A command that refuses an option given twice, where the last would silently win."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from leakbound.errors import InvalidInput


class OnceCommand(TyperCommand):
    """Every option that takes one value may be given once."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse repeated options, then parse."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        parameters: list[Any] = list(order)
        once = [p for p in parameters if p.param_type_name == "option" and not p.multiple and not p.is_flag]
        for parameter in once:
            if once.count(parameter) > 1:
                raise InvalidInput(f"{parameter.opts[0]} was given {once.count(parameter)} times; give it once.")
        return super().parse_args(ctx, args)
