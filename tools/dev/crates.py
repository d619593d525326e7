#!/usr/bin/env python3
"""Draw which crate of the workspace needs which, as the mermaid graph of docs/architecture.md.

    crates.py            print the graph
    crates.py --write    write it into the page
    crates.py --check    fail unless the page has it

An arrow that follows from others is left out. Dependencies of tests alone are not drawn.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/architecture.md"
BEGIN, END = "```mermaid\n", "```\n"
ROOMS = {"crates": "crates: what people get", "tools": "tools: the workshop"}


def crates():
    """The folder of each crate of the workspace, and the crates that it names in its manifest."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"]
    packages = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)["packages"]
    folder = {package["name"]: pathlib.Path(package["manifest_path"]).parent.relative_to(ROOT) for package in packages}
    return {
        str(folder[package["name"]]): {
            str(folder[needed["name"]]) for needed in package["dependencies"]
            if needed["name"] in folder and needed["kind"] != "dev"
        }
        for package in packages
    }


def reach(needs, crate):
    """All crates that a crate needs, directly or through others."""
    return needs[crate].union(*(reach(needs, needed) for needed in needs[crate]))


def graph(needs):
    lines = ["graph BT"]
    for room, title in ROOMS.items():
        lines.append(f'    subgraph {room} ["{title}"]')
        for crate in sorted(needs):
            folder, name = crate.split("/") if "/" in crate else ("", crate)
            if folder == room:
                lines.append(f"        {name}")
        lines.append("    end")
    for crate in sorted(needs):
        through = set().union(*(reach(needs, needed) for needed in needs[crate]))
        for needed in sorted(needs[crate] - through):
            lines.append(f"    {crate.split('/')[-1]} --> {needed.split('/')[-1]}")
    return "\n".join(lines) + "\n"


def main():
    drawn = BEGIN + graph(crates()) + END
    text = PAGE.read_text()
    if "--check" in sys.argv:
        if drawn not in text:
            sys.exit("docs/architecture.md: the graph of crates is out of date; run tools/dev/crates.py --write")
    elif "--write" in sys.argv:
        before, rest = text.split(BEGIN, 1)
        PAGE.write_text(before + drawn + rest.split(END, 1)[1])
    else:
        print(drawn, end="")


if __name__ == "__main__":
    main()
