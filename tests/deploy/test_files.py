"""The compose file, the unit and the documentation: they name what there is, and nothing is left open."""

from __future__ import annotations

import ipaddress
import re
import shutil
import subprocess
import sys
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from smalti.server.settings import from_environment
from tests.server.site import ROOT

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
APPS = ("app-1", "app-2")
CACHE = "SMALTI_CACHE_DIR"  # is read by the compiler's part, before there are settings
ROW = re.compile(r"^\| `(SMALTI_\w+)` \| (.*?) \| .* \|$", re.M)


def known() -> set[str]:
    """Return the names of all settings."""
    return {*re.findall(r"\"(SMALTI_[A-Z_]+)\"", (ROOT / "src/smalti/server/settings.py").read_text()), CACHE}


def table() -> dict[str, str]:
    """Return the defaults that the documentation tells, by name."""
    return dict(ROW.findall((ROOT / "docs/running.md").read_text()))


def test_the_table_of_settings_is_complete() -> None:
    assert set(table()) == known()


TOLD = [(name, told.strip("`")) for name, told in table().items() if told != "none" and told.strip("`").isalnum()]


@pytest.mark.parametrize(("name", "default"), TOLD)
def test_a_default_that_is_told_is_the_default(name: str, default: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in known():
        monkeypatch.delenv(each, raising=False)
    before = from_environment()
    monkeypatch.setenv(name, default)
    assert from_environment() == before


@pytest.mark.parametrize("file", [*sorted(DEPLOY.iterdir()), ROOT / "docs/running.md"], ids=lambda file: file.name)
def test_every_setting_that_is_named_exists(file: Path) -> None:
    assert set(re.findall(r"SMALTI_[A-Z_]+", file.read_text())) <= known()


# --- Compose


def test_two_servers_share_a_database_and_a_bus_behind_https() -> None:
    for name in APPS:
        settings = COMPOSE["services"][name]["environment"]
        assert settings["SMALTI_SECURE_COOKIE"] == "1"
        assert settings["SMALTI_ORIGINS"].startswith("https://")
        assert "@database/" in settings["SMALTI_DATABASE"]
        assert "://bus:" in settings["SMALTI_REDIS"]
    assert COMPOSE["services"]["proxy"]["environment"]["UPSTREAMS"].split() == [f"{name}:8765" for name in APPS]


def test_only_the_proxy_is_reached_from_outside() -> None:
    assert [name for name, service in COMPOSE["services"].items() if "ports" in service] == ["proxy"]
    assert not any(service.get("privileged") or "network_mode" in service for service in COMPOSE["services"].values())


def test_the_network_that_is_trusted_is_the_one_inside() -> None:
    (inside,) = [part["subnet"] for part in COMPOSE["networks"]["inside"]["ipam"]["config"]]
    assert ipaddress.ip_network(inside).is_private
    for service in COMPOSE["services"].values():
        assert service["networks"] == ["inside"]
    for name in APPS:
        assert COMPOSE["services"][name]["environment"]["SMALTI_PROXIES"] == inside


def test_what_is_waited_for_tells_that_it_is_well() -> None:
    image = (DEPLOY / "Dockerfile").read_text()
    for service in COMPOSE["services"].values():
        assert service["restart"] == "unless-stopped"
        for other in service.get("depends_on", {}):
            assert "healthcheck" in COMPOSE["services"][other] or (other in APPS and "HEALTHCHECK" in image)


def test_games_and_certificates_outlive_their_containers() -> None:
    volumes = {
        volume.split(":")[0] for service in COMPOSE["services"].values() for volume in service.get("volumes", ())
    }
    assert {name for name in volumes if not name.startswith(".")} == set(COMPOSE["volumes"])
    assert all((DEPLOY / name).exists() for name in volumes if name.startswith("."))


def test_no_secret_stands_in_the_files_and_every_variable_is_in_the_example() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    asked = set(re.findall(r"\$\{(\w+):\?", text))
    example = dict(re.findall(r"^(\w+)=(.*)$", (DEPLOY / ".env.example").read_text(), re.M))
    assert asked == set(example) == set(re.findall(r"\$\{(\w+)", text))
    assert example["POSTGRES_PASSWORD"] == ""
    assert ".env" in (ROOT / ".gitignore").read_text().split()


# --- systemd


def unit() -> RawConfigParser:
    parser = RawConfigParser(strict=False, allow_no_value=True, comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "smalti.service")
    return parser


def test_the_service_comes_back_and_may_write_nothing_but_its_own() -> None:
    service = unit()["Service"]
    assert (service["Restart"], service["DynamicUser"], service["StateDirectory"]) == ("always", "yes", "smalti")
    assert (service["ProtectSystem"], service["NoNewPrivileges"], service["UMask"]) == ("strict", "yes", "0077")
    assert int(service["LimitNOFILE"]) >= from_environment().connections
    assert "MemoryDenyWriteExecute" not in service  # rules are compiled while it runs


@pytest.fixture
def startable(tmp_path: Path) -> Path:
    """The unit, with a program that is here."""
    text = (DEPLOY / "smalti.service").read_text().replace("/opt/smalti/bin/smalti", sys.executable)
    file = tmp_path / "smalti.service"
    file.write_text(text)
    return file


def analysed(*words: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("there is no systemd here")
    return subprocess.run([program, *words], capture_output=True, text=True)


def test_systemd_understands_the_unit(startable: Path) -> None:
    done = analysed("verify", "--man=no", startable)
    assert "smalti.service" not in done.stderr, done.stderr


def test_systemd_calls_the_unit_hardened(startable: Path) -> None:
    done = analysed("security", "--offline=true", "--threshold=25", startable)
    assert done.returncode == 0, done.stdout + done.stderr
