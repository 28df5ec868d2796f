"""The OpenAPI document as text: YAML with short collections on one line."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

import yaml

_WIDTH: Final = 120
_INDENT: Final = 2
_PARAGRAPH: Final = 5 * _WIDTH
"""The longest object schema that is one paragraph, in columns."""
_PARAGRAPH_PROPERTIES: Final = 4
"""The largest number of its properties."""
_IN_FLOW_STYLE: Final = ("oneOf", "discriminator")


def dump(document: dict[str, Any]) -> str:
    """Return a document as YAML.

    Contents, unions, properties, short object schemas, and collections that fit on the rest of
    their line are in flow style.
    """
    stream = StringIO()
    dumper = _Dumper(stream, sort_keys=False, allow_unicode=True, width=_WIDTH)
    dumper.open()
    root = dumper.represent_data(document)
    for key, value in root.value:
        _fold(value, _INDENT, len(key.value))
    dumper.serialize(root)
    dumper.close()
    return stream.getvalue()


class _Dumper(yaml.SafeDumper):
    """Writes no aliases, and all further lines of a flow collection with the same indent."""

    def ignore_aliases(self, _: Any) -> bool:
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        # The emitter has counted the new collection already.
        super().increase_indent(flow, indentless or (flow and self.flow_level > 1))

    def expect_scalar(self) -> None:
        """Write a scalar; inside a flow collection, its further lines get no deeper indent."""
        super().increase_indent(flow=True, indentless=self.flow_level > 0)
        self.process_scalar()
        self.indent = self.indents.pop()
        self.state = self.states.pop()


def _fold(node: yaml.Node, indent: int, used: int) -> None:
    """Set the style of a node and of all below it.

    Args:
        node: the value of a key or an item of a list.
        indent: columns before its children, if they get lines of their own.
        used: columns of its line that are used already.
    """
    if isinstance(node, yaml.ScalarNode):
        if "\n" in node.value:
            node.style = "|"
        return
    assert isinstance(node, yaml.CollectionNode)
    if used + _length(node) <= _WIDTH or _is_list_of_scalars(node) or _is_short_object(node):
        _set_flow(node)
        return
    node.flow_style = False
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _fold(item, indent, indent)
        return
    for key, value in node.value:
        if key.value in _IN_FLOW_STYLE:
            _set_flow(value)
        elif key.value == "properties":
            _fold_properties(value)
        else:
            _fold(value, indent + _INDENT, indent + len(key.value) + 2)


def _is_list_of_scalars(node: yaml.CollectionNode) -> bool:
    return isinstance(node, yaml.SequenceNode) and all(
        isinstance(item, yaml.ScalarNode) for item in node.value
    )


def _is_short_object(node: yaml.CollectionNode) -> bool:
    return (
        isinstance(node, yaml.MappingNode)
        and any(
            key.value == "properties" and len(properties.value) <= _PARAGRAPH_PROPERTIES
            for key, properties in node.value
        )
        and _length(node) <= _PARAGRAPH
        and not _has_lines(node)
    )


def _has_lines(node: yaml.Node) -> bool:
    if isinstance(node, yaml.ScalarNode):
        return "\n" in node.value
    return any(_has_lines(part) for part in _parts(node))


def _fold_properties(properties: yaml.MappingNode) -> None:
    """Write each property as one paragraph.

    Texts of several lines keep them, so their properties are written in block style.
    """
    properties.flow_style = False
    for _, schema in properties.value:
        _set_flow(schema)
        for key, value in schema.value:
            if key.value == "description" and "\n" in value.value:
                value.style = "|"
                schema.flow_style = False


def _length(node: yaml.Node) -> int:
    """Return the columns of a node in flow style, or a little more."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value) + 2 * (not node.value.isalpha())  # It may need quotes.
    return 2 + sum(_length(part) + 2 for part in _parts(node))


def _set_flow(node: yaml.Node) -> None:
    if isinstance(node, yaml.CollectionNode):
        node.flow_style = True
        for part in _parts(node):
            _set_flow(part)


def _parts(collection: yaml.Node) -> Iterator[yaml.Node]:
    """Yield the items of a sequence, or the keys and values of a mapping."""
    for item in collection.value:
        yield from item if isinstance(item, tuple) else (item,)
