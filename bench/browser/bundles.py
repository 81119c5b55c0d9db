"""Scripts to put into pages: our scanner built from its sources, peers from npm, and Playwright's own."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from bench.browser.corpus import ROOT
from bench.browser.table import say

ASIDE = ROOT / ".circuy" / "bench"
SDK = ROOT / "sdk"


def scanner() -> str:
    """`CircuyScan`, of the sources as they are now and not as they were last built."""
    return _bundle(SDK / "src" / "entry" / "scan.ts", ASIDE / "circuy-scan.js", "--global-name=CircuyScan")


def scanner_without_locators(build: Path) -> str:
    """`CircuyWithoutLocators`, made by this script of the same sources: a scan that reads and points at nothing."""
    entry, output = SDK / "src" / "entry" / "scan.ts", ASIDE / "circuy-without-locators.js"
    if not _run("node", str(build), str(entry), str(output), cwd=SDK):
        raise SystemExit(f"{build.relative_to(ROOT)} could not build the scanner without locators")
    return output.read_text(encoding="utf-8")


def npm_peers(bench: Path, *scripts: str) -> list[str] | None:
    """
    These scripts of `bench/page/`, bundled with the peers of `bench/package.json` that they import; None, with a line,
    where those cannot be had.
    """
    place = ASIDE / bench.name
    if not _is_current(place, bench / "package-lock.json"):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(bench / name, place / name)
        say(f"Installing npm peers into {place.relative_to(ROOT)} …")
        if not _run("npm", "ci", "--silent", "--no-fund", "--no-audit", "--ignore-scripts", cwd=place):
            say("npm could not install the peers: measuring without them.")
            return None
        _mark_current(place, bench / "package-lock.json")
    return [
        _bundle(Path(shutil.copy(bench / "page" / name, place / name)), place / f"bundled-{name}") for name in scripts
    ]


def bundled(script: Path, name: str) -> str:
    """A script of a bench as the global `name`, with our sources that it imports as they are now."""
    return _bundle(script, ASIDE / f"{script.parent.parent.name}-{script.stem}.js", f"--global-name={name}")


def pip_peers(bench: Path, *options: str) -> Path | None:
    """
    The Python that has the packages of `bench/requirements.txt`, which pip installs with `options`; None, with a line,
    where they cannot be had.
    """
    place = ASIDE / f"{bench.name}-python"
    python = place / "bin" / "python"
    if not _is_current(place, bench / "requirements.txt"):
        shutil.rmtree(place, ignore_errors=True)
        say(f"Installing Python peers into {place.relative_to(ROOT)} …")
        made = _run(str(ROOT / ".venv" / "bin" / "python"), "-m", "venv", str(place), cwd=ROOT)
        install = (str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check", *options, "-r")
        if not made or not _run(*install, str(bench / "requirements.txt"), cwd=ROOT):
            say("pip could not install the peers: measuring without them.")
            return None
        _mark_current(place, bench / "requirements.txt")
    return python


def playwright_script() -> str:
    """
    Playwright's injected script as the global `PlaywrightInjected`. Its aria snapshots and its selector generator run
    in the page itself: asked for there, the trips between Python and the browser stay out of what is measured. The
    generator has no other door in Python than `Locator.normalize()`, one trip an element.
    """
    spec = find_spec("playwright")
    if spec is None or spec.origin is None:
        raise RuntimeError("Playwright is not installed")
    core = Path(spec.origin).parent / "driver" / "package" / "lib" / "coreBundle.js"
    after = core.read_text(encoding="utf-8").partition('generated/injectedScriptSource.ts"() {')[2]
    literal = re.search(r"= ('(?:[^'\\\n]|\\.)*');", after)
    if literal is None:
        raise RuntimeError("This Playwright keeps its injected script elsewhere")
    options = (
        "{isUnderTest: false, sdkLanguage: 'python', frameSeq: 0, testIdAttributeName: 'data-testid',"
        " stableRafCount: 1, browserName: 'chromium', shouldPrependErrorPrefix: false, isUtilityWorld: false,"
        " customEngines: []}"
    )
    return (
        "globalThis.PlaywrightInjected = (() => { const module = {};"
        f" new Function('module', {literal.group(1)})(module);"
        f" return new (module.exports.InjectedScript())(globalThis, {options}); }})();"
    )


def _bundle(entry: Path, output: Path, *options: str) -> str:
    esbuild = SDK / "node_modules" / ".bin" / "esbuild"
    output.parent.mkdir(parents=True, exist_ok=True)
    fixed = ("--bundle", "--minify", "--format=iife", "--target=es2022", "--log-level=error", f"--outfile={output}")
    if not _run(str(esbuild), str(entry), *fixed, *options, cwd=SDK):
        raise SystemExit(f"esbuild could not bundle {entry.relative_to(ROOT)}")
    return output.read_text(encoding="utf-8")


def _run(*command: str, cwd: Path) -> bool:
    try:
        return subprocess.run(command, cwd=cwd, check=False).returncode == 0  # noqa: S603 - fixed commands
    except FileNotFoundError:
        return False


def _is_current(place: Path, lock: Path) -> bool:
    stamp = place / ".installed"
    return stamp.is_file() and stamp.read_text() == _digest(lock)


def _mark_current(place: Path, lock: Path) -> None:
    (place / ".installed").write_text(_digest(lock))


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()
