"""Builds the site of the documentation: docs/*.md, a gallery of the pictures, and the notebook with what it printed.

    python3 packaging/site.py            build/site/html/index.html, to be opened as a file, or served with its search

Makes an environment of its own in build/site with mkdocs-material, and needs nothing but Python and, the first time, a
network. A link that leads nowhere ends it, and so does a page that the navigation lacks.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "site"
PAGES = WORK / "docs"
TOOLS = ("mkdocs==1.6.1", "mkdocs-material==9.8.2")
SOURCES = "https://github.com/affinecal/affinecal/blob/main"
BINARIES = "Scripts" if os.name == "nt" else "bin"

_PICTURE = re.compile(r"!\[([^\]]*)\]\(pictures/([\w.-]+)\)")
_LINK_TO_SOURCE = re.compile(r"\]\((?:\.\./)+((?!docs/)[\w./-]+)(#[\w-]*)?\)")


def main() -> int:
    """Build the site; return the exit status of mkdocs."""
    lay_out()
    python = environment()
    # Not quietly: then mkdocs does not count its warnings, and ends well whatever leads nowhere.
    command = [str(python), "-m", "mkdocs", "build", "-f", str(ROOT / "mkdocs.yml")]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    if status == 0:
        print(f"site: built {WORK / 'html' / 'index.html'}")
    return status


def environment() -> Path:
    """Make the environment where it is not there; return its interpreter."""
    place = WORK / "environment"
    python = place / BINARIES / "python"
    stamp = place / "made-from"
    if not stamp.is_file() or stamp.read_text() != "\n".join(TOOLS):
        print("site: making the environment; the first time this takes a minute", flush=True)
        venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(place)
        command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS]
        if subprocess.run(command, check=False).returncode != 0:
            sys.exit("site: mkdocs could not be installed (see above); check the network connection.")
        stamp.write_text("\n".join(TOOLS))
    return python


def lay_out() -> None:
    """Copy the documents, and add the pages that are made."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.pyc", "*.ipynb"))
    shutil.copytree(ROOT / "resources" / "examples", PAGES / "examples")
    shutil.copyfile(ROOT / "resources" / "icons" / "affinecal.svg", PAGES / "affinecal.svg")
    for page in PAGES.rglob("*.md"):
        page.write_text(linked(page.read_text(encoding="utf-8")), encoding="utf-8")
    (PAGES / "index.md").write_text(index(), encoding="utf-8")
    (PAGES / "gallery.md").write_text(gallery(), encoding="utf-8")
    (PAGES / "notebook.md").write_text(notebook(ROOT / "docs" / "python.ipynb"), encoding="utf-8")


def linked(markdown: str) -> str:
    """Return a document whose links out of the documentation lead to where the site has them, or to the sources."""
    markdown = markdown.replace("](../resources/examples/", "](examples/")
    return _LINK_TO_SOURCE.sub(lambda found: f"]({SOURCES}/{found[1]}{found[2] or ''})", markdown)


def index() -> str:
    """Return the first page: the README, up to where it says how to build."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](", text)
    return re.sub(
        r"\]\((?!https?://|#)((?:resources|packaging)/[\w./-]+|[A-Z]+\.md|LICENSE)\)",
        lambda found: f"]({SOURCES}/{found[1]})",
        text,
    )


def gallery() -> str:
    """Return a page of all pictures in the light theme, each with what it is said to show where it stands."""
    said: dict[str, tuple[str, str]] = {}
    for page in sorted((ROOT / "docs").glob("*.md")):
        for words, name in _PICTURE.findall(page.read_text(encoding="utf-8")):
            said.setdefault(name, (words, page.name))
    lines = ["# Gallery", "", "Every picture of the documentation, on the bundled examples.", ""]
    for name, (words, page) in sorted(said.items()):
        lines += [
            f"## {words}",
            "",
            f"[![{words}](pictures/{name})](pictures/{name})",
            "",
            f"From [{page}]({page}).",
            "",
        ]
    return "\n".join(lines)


def notebook(path: Path) -> str:
    """Return the notebook as a page: its text, its code, and what it printed when it was run last."""
    lines = [
        "# The notebook",
        "",
        "`docs/python.ipynb` as it was run; the tests run it and compare what it prints.",
        "",
    ]
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [re.sub(r"^#", "##", linked(text), flags=re.MULTILINE), ""]
        else:
            lines += ["```python", text, "```", ""]
            if shown := "".join(map(printed, cell["outputs"])).rstrip():
                lines += ["```text", shown, "```", ""]
    return "\n".join(lines)


def printed(output: dict[str, Any]) -> str:
    """Return the text of one output of a cell."""
    if output["output_type"] == "stream":
        return "".join(output["text"])
    return "".join(output.get("data", {}).get("text/plain", ())) + "\n"


if __name__ == "__main__":
    sys.exit(main())
