"""Real nginx and real Caddy with the files of `deploy/` before a real server, and people who come through them."""

from __future__ import annotations

import datetime
import os
import shutil
import ssl
import subprocess
from pathlib import Path
from typing import Any

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import ClientConnection, connect

from tests.server.site import PATIENCE, ROOT, Browser, Page, Server, free_port, is_listening, until

DEPLOY = ROOT / "deploy"
HOST = "localhost"


def program(name: str, package: str) -> str:
    """Return where a program lies, or say what to install."""
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    assert found, f"{name} is missing: sudo apt-get install {package}"
    return found


class Front(Server):
    """A proxy in front of a server; it is reached by https."""

    def __init__(self, folder: Path, behind: Server) -> None:
        super().__init__(folder)
        self.behind, self.port, self.plain_port = behind, free_port(), free_port()

    @property
    def host(self) -> str:
        return f"{HOST}:{self.port}"

    @property
    def url(self) -> str:
        return f"https://{self.host}"

    @property
    def authority(self) -> Path:
        """The certificate that browsers trust."""
        raise NotImplementedError

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))

    @property
    def live_tls(self) -> ssl.SSLContext:
        """The same for connections that one thread reads while another writes.

        TLS 1.3 sends tickets after the handshake, and Python's OpenSSL now and then loses what is written just then.
        """
        found = self.tls
        found.maximum_version = ssl.TLSVersion.TLSv1_2
        return found

    @property
    def words(self) -> list[str]:
        """The command that runs it."""
        raise NotImplementedError

    def launch(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.words, cwd=self.folder, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    def wait(self, patience: float = PATIENCE) -> None:
        super().wait(patience)
        until(lambda: is_listening(self.plain_port) and self.authority.exists())


# --- nginx


def make_certificate(folder: Path) -> None:
    """Write a certificate for this machine that vouches for itself, and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    form, secrecy = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, secrecy))


# The site file is included by nginx's own file, which on a server is Debian's.
AROUND = """
daemon off; pid {folder}/pid; error_log stderr; {user}
events {{ worker_connections 4096; }}
http {{
    access_log off; types {{ text/html html; }}
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


class Nginx(Front):
    """nginx with `deploy/nginx.conf`, of which only names, ports and paths are changed."""

    def launch(self) -> None:
        make_certificate(self.folder)
        (self.folder / "site.conf").write_text(self.site())
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(AROUND.format(folder=self.folder, user=user))
        super().launch()

    def site(self) -> str:
        text = (DEPLOY / "nginx.conf").read_text()
        for before, after in (
            ("server 127.0.0.1:8765;", f"server {self.behind.host};"),
            ("    listen [::]:80;\n", ""),
            ("    listen [::]:443 ssl http2;\n", ""),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("listen 443 ", f"listen 127.0.0.1:{self.port} "),
            ("server_name games.example.org;", f"server_name {HOST};"),
            ("/etc/letsencrypt/live/games.example.org", str(self.folder)),
        ):
            assert before in text, before
            text = text.replace(before, after)
        return text

    @property
    def words(self) -> list[str]:
        return [program("nginx", "nginx-light"), "-e", "stderr", "-c", str(self.folder / "nginx.conf")]

    @property
    def authority(self) -> Path:
        return self.folder / "fullchain.pem"


# --- Caddy


class Caddy(Front):
    """Caddy with `deploy/Caddyfile`; on this machine it vouches for itself."""

    def launch(self) -> None:
        text = (DEPLOY / "Caddyfile").read_text()
        (self.folder / "Caddyfile").write_text(text.replace("{\n", "{\n\tadmin off\n", 1))  # its port may be taken
        super().launch()

    @property
    def environment(self) -> dict[str, str]:
        folder = str(self.folder)
        own = {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder}
        ports = {"HTTP_PORT": str(self.plain_port), "HTTPS_PORT": str(self.port)}
        return {**os.environ, **own, **ports, "DOMAIN": HOST, "UPSTREAMS": self.behind.host}

    @property
    def words(self) -> list[str]:
        return [program("caddy", "caddy"), "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]

    @property
    def authority(self) -> Path:
        return self.folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"


# --- Who comes


class Visitor(Browser):
    """A browser that comes through a proxy, from an address of this machine, perhaps with headers it made up."""

    def __init__(self, front: Front, address: str = "127.0.0.1", **made_up: str) -> None:
        super().__init__(front)
        self.http.close()
        self.front, self.made_up = front, {name.replace("_", "-"): value for name, value in made_up.items()}
        transport = httpx.HTTPTransport(verify=front.tls, local_address=address)
        headers = {"origin": front.url, **self.made_up}
        self.http = httpx.Client(base_url=front.url, timeout=PATIENCE, transport=transport, headers=headers)

    def connection(self, table: str, query: str = "", **headers: str) -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        given: dict[str, Any] = {"cookie": cookies, "origin": self.front.url, **self.made_up, **headers}
        address = f"wss://{self.front.host}/api/tables/{table}/live{query}"
        opened = connect(
            address,
            additional_headers=given,
            compression=None,
            max_size=None,
            ssl=self.front.live_tls,
            open_timeout=PATIENCE,
        )
        return self.opened.enter_context(opened)


def seated(table: str, *visitors: Visitor) -> list[Page]:
    """Open the pages of people, each with the seat of their number."""
    return [visitor.open(table, seat) for seat, visitor in enumerate(visitors)]
