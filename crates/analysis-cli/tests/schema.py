"""Compares outputs of skewer-analyse with docs/analysis.schema.json:

    python schema.py FILE...

Every object of .json and .jsonl files must be as the schema says, and tables must have the columns of the schema. Each
field that the schema has for a move must occur in at least one move of the files. Needs the package `jsonschema`.
Prints the number of objects, and fails if anything differs.
"""

import csv
import json
import pathlib
import sys

import jsonschema

SCHEMA = json.loads((pathlib.Path(__file__).parents[3] / "docs" / "analysis.schema.json").read_text("utf-8"))
DEFINITIONS = SCHEMA["$defs"]


def columns(*names):
    return [field for name in names for field in DEFINITIONS[name]["properties"]]


TABLES = [columns("move_row"), columns("label_row"), columns("summary_row", "figures")]


def check(data, where):
    """The differences between an object and its definition."""
    schemas = {"skewer-manifest/2": "manifest", "skewer-summary/2": "summary", None: "label_row"}
    name = data.get("kind") or schemas[data.get("schema")]
    definition = {"$ref": f"#/$defs/{name}", "$defs": DEFINITIONS}
    for error in jsonschema.Draft202012Validator(definition).iter_errors(data):
        yield f"{where}: {name}: {error.json_path}: {error.message[:200]}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    errors, objects, fields = [], 0, set()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8", newline="") as file:
            if path.endswith(".csv"):
                if next(csv.reader(file)) not in TABLES:
                    errors.append(f"{path}: other columns than in the schema")
                continue
            for number, text in enumerate([file.read()] if path.endswith(".json") else file, 1):
                data = json.loads(text)
                objects += 1
                errors += check(data, f"{path}:{number}")
                fields.update(*data.get("moves", []))
    if missing := DEFINITIONS["move"]["properties"].keys() - fields:
        errors.append(f"no move has {sorted(missing)}")
    print("\n".join([*errors[:20], f"{objects} objects, {len(errors)} errors"]))
    return 1 if errors or not objects else 0


sys.exit(main())
