"""Writes src/delayjob/api.py, the types of the OpenAPI document: python3 types_of_document.py"""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "docs" / "openapi.json"
TARGET = HERE / "src" / "delayjob" / "api.py"
HEADER = '''"""The types of docs/openapi.json, written by types_of_document.py: change that, not this."""

from typing import Any, Literal, NotRequired, TypedDict
'''
PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def python_type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return f'"{schema["$ref"].rsplit("/", 1)[1]}"'
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    kind = schema.get("type", "")
    if kind == "array":
        return f"list[{python_type(schema['items'])}]"
    if kind == "object":
        return f"dict[str, {python_type(schema.get('additionalProperties', {}))}]"
    return PLAIN.get(kind, "Any")


def typed_dict(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    fields = {key: python_type(value) for key, value in schema.get("properties", {}).items()}
    lines = [f'    "{key}": {kind if key in required else f"NotRequired[{kind}]"},' for key, kind in fields.items()]
    return "\n".join([f'{name} = TypedDict("{name}", {{', *lines, "})", ""])


def types() -> str:
    schemas = json.loads(DOCUMENT.read_text())["components"]["schemas"]
    return "\n".join([HEADER, *(typed_dict(name, schema) for name, schema in sorted(schemas.items()))])


if __name__ == "__main__":
    TARGET.write_text(types())
