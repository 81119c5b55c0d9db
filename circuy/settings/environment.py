"""What Circuy reads from the environment: one class per concern, each variable with its meaning and what it accepts.

`docs/configuration.md` is written from these classes (`manage.py configuration --write`), so a variable that is not
here does not exist. Nothing here imports Django: the settings module, the supervisor and the test suite all read it.
"""

from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from pydantic import AfterValidator, BeforeValidator, Field
from pydantic.config import JsonDict
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def variable(default: Any, meaning: str, *, expects: str, secret: bool = False, shown: str = "", **limits: Any) -> Any:
    """A setting: its default, what it does, what it accepts in words, and how the table shows the default.

    A secret's value is never repeated in an error message.
    """
    extra: JsonDict = {"expects": expects, "secret": secret, "shown": shown}
    return Field(default=default, description=meaning, json_schema_extra=extra, **limits)


def _split_commas(value: Any) -> Any:
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _url_of(*schemes: str) -> AfterValidator:
    def check(value: str) -> str:
        if not value:
            return value
        parts = urlsplit(value)
        socket_path = parts.scheme in {"postgresql", "postgres", "unix"}
        if parts.scheme not in schemes or not (parts.hostname or socket_path):
            raise ValueError("not such a URL")
        _ = parts.port  # urlsplit checks the port only when it is read
        return value

    return AfterValidator(check)


def _without_trailing_slash(value: str) -> str:
    return value.rstrip("/")


def _origin_only(value: str) -> str:
    if value and (urlsplit(value)[2:] != ("", "", "") or urlsplit(value).username is not None):
        raise ValueError("more than scheme, host and port")
    return value


def _fernet_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    for key in keys:
        Fernet(key)
    return keys


def _long_enough_secret(value: str) -> str:
    if value and len(value) < 32:
        raise ValueError("too short")
    return value


CommaSeparated = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split_commas)]
FernetKeys = Annotated[CommaSeparated, AfterValidator(_fernet_keys)]
HttpUrl = Annotated[str, _url_of("http", "https"), AfterValidator(_without_trailing_slash)]
LongSecret = Annotated[str, AfterValidator(_long_enough_secret)]


class Concern(BaseSettings):
    """Variables that belong together; the environment variable is the field's name in capitals."""

    model_config = SettingsConfigDict(env_ignore_empty=True, extra="ignore", frozen=True, validate_default=True)

    @classmethod
    def note(cls, field: str, what: str) -> str:
        """What `variable` was told about a field: `expects`, `shown`, or `secret` (empty when it is none)."""
        extra = cls.model_fields[field].json_schema_extra
        return str(extra[what] or "") if isinstance(extra, dict) else ""


class DataSettings(Concern):
    """Where Circuy keeps what it makes itself."""

    circuy_data_dir: Path = variable(
        BASE_DIR / ".circuy",
        "Folder of the embedded services' data, generated secrets, logs and collected static files.",
        expects="a folder that can be written to",
        shown="`.circuy` in the checkout",
    )


class DatabaseSettings(Concern):
    """PostgreSQL."""

    database_url: Annotated[str, _url_of("postgresql", "postgres")] = variable(
        "",
        "PostgreSQL server (14 or later, with pgvector 0.8). Empty: Circuy starts its own, inside the data folder.",
        expects="postgresql://user:password@host:port/name, or empty",
        secret=True,
        shown="empty",
    )
    database_pool_size: int = variable(
        8,
        "Most connections that one process keeps open.",
        expects="a whole number from 1 to 200",
        ge=1,
        le=200,
    )


class RedisSettings(Concern):
    """Valkey or Redis: Celery's broker, the cache, the hint that an answer is there."""

    redis_url: Annotated[str, _url_of("redis", "rediss", "unix")] = variable(
        "",
        "Valkey or Redis server to use. Empty: Circuy starts its own.",
        expects="redis://host:port/number, rediss://… or unix:///path, or empty",
        secret=True,
        shown="empty",
    )


class WebSettings(Concern):
    """How the server is reached."""

    public_url: Annotated[HttpUrl, AfterValidator(_origin_only)] = variable(
        "",
        "Address that browsers use, in links, in the script tag and for cookies (https makes them secure).",
        expects="http://… or https://… without a path",
        shown="`http://WEB_HOST:WEB_PORT`",
    )
    web_host: str = variable("127.0.0.1", "Address that `manage.py up` listens on.", expects="an IP address or a name")
    web_port: int = variable(
        8000,
        "Port that `manage.py up` listens on.",
        expects="a whole number from 1 to 65535",
        ge=1,
        le=65535,
    )
    web_workers: int = variable(
        2,
        "Web processes that `manage.py up` runs.",
        expects="a whole number from 1 to 64",
        ge=1,
        le=64,
    )
    web_threads: int = variable(
        4,
        "Requests that one web process handles at a time; an answer that is waited for takes one. Half may be streams.",
        expects="a whole number from 1 to 64",
        ge=1,
        le=64,
    )
    allowed_hosts: CommaSeparated = variable(
        (),
        "Host names that requests may carry, besides PUBLIC_URL's and this machine's own.",
        expects="names separated by commas",
        shown="empty",
    )
    num_proxies: int = variable(
        0,
        "Reverse proxies in front: how many X-Forwarded-For entries, and whether X-Forwarded-Proto, are believed.",
        expects="a whole number from 0 to 10",
        ge=0,
        le=10,
    )

    @property
    def address(self) -> str:
        """PUBLIC_URL, or where `manage.py up` listens."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.web_host, self.web_host)  # noqa: S104
        return self.public_url or f"http://{host}:{self.web_port}"


class SecuritySettings(Concern):
    """Keys and the switch that must stay off in production."""

    secret_key: LongSecret = variable(
        "",
        "Signs sessions, visitor tokens and links. Required with DATABASE_URL; else made once in the data folder.",
        expects="at least 32 characters, the same in every process",
        secret=True,
        shown="generated",
    )
    encryption_keys: FernetKeys = variable(
        (),
        "Encrypt stored secrets: the first key encrypts, all decrypt. Required with DATABASE_URL; else made once.",
        expects="Fernet keys (44 characters of URL-safe base64) separated by commas",
        secret=True,
        shown="generated",
    )
    debug: bool = variable(
        False,
        "Django's debug pages. Never on a server that others reach.",
        expects="true or false",
        shown="false",
    )


class EngineSettings(Concern):
    """The language engine."""

    engine_timeout_s: float = variable(
        20.0,
        "Seconds a model may take for an answer; after 80 % of them the local engine answers if no step is shown yet.",
        expects="a number from 1 to 120",
        ge=1,
        le=120,
    )


class EmbeddingsSettings(Concern):
    """What finds by meaning, beside words. Without these the model that ships in a package reads, on this machine."""

    embeddings_base_url: HttpUrl = variable(
        "",
        "Root of an OpenAI-compatible API for embeddings, with its version. Then run `manage.py fit_embeddings` once.",
        expects="http://… or https://…, or empty",
        shown="empty",
    )
    embeddings_model: str = variable(
        "",
        "The name that this server gives the model. Required with EMBEDDINGS_BASE_URL.",
        expects="a model's name of at most 100 characters, or empty",
        shown="empty",
        max_length=100,
    )
    embeddings_api_key: str = variable(
        "", "The key for this server, if it wants one.", expects="text, or empty", secret=True, shown="empty"
    )


class AskSettings(Concern):
    """Questions from end users."""

    ask_wait_ms: int = variable(
        2500,
        "Milliseconds that POST /v1/ai/ask waits for an answer before it says 202; at most 250 for who can follow it.",
        expects="a whole number from 0 to 10000",
        ge=0,
        le=10_000,
    )
    rate_limit_ask_per_minute: int = variable(
        30,
        "Questions that one end user may ask in a minute.",
        expects="a whole number from 1 to 10000",
        ge=1,
        le=10_000,
    )


class DemonstrationSettings(Concern):
    """Learning by demonstration (docs/demonstrations.md)."""

    competences_dir: Path | None = variable(
        None,
        "Folder of the YAML files of what was learnt. Every process writes there.",
        expects="a folder that can be written to",
        shown="`competences` in the data folder",
    )
    rpa_auth_disabled: bool = variable(
        False,
        "Whether the demonstrations' API is open to whoever sends no key, for the first organization. Only with DEBUG.",
        expects="true or false",
        shown="false",
    )


class SlackSettings(Concern):
    """The Slack app of this installation; what belongs to an organization is set in the admin."""

    slack_client_id: str = variable(
        "",
        "The app's Client ID: organizations connect their workspace by a button. Empty: they paste a bot token.",
        expects="digits and a dot, or empty",
        shown="empty",
    )
    slack_client_secret: str = variable(
        "", "The app's Client Secret.", expects="text, or empty", secret=True, shown="empty"
    )
    slack_signing_secret: str = variable(
        "",
        "The app's Signing Secret: without one, buttons and commands are refused.",
        expects="text, or empty",
        secret=True,
        shown="empty",
    )
    slack_api_url: HttpUrl = variable(
        "https://slack.com/api",
        "Slack's web API, for a proxy or a test server in between.",
        expects="http://… or https://…",
    )


class MailSettings(Concern):
    """E-mails to reviewers."""

    email_url: Annotated[str, _url_of("smtp", "smtps", "smtp+tls")] = variable(
        "",
        "Mail server: smtp+tls:// for STARTTLS, smtps:// for TLS. Empty: e-mails are written to the log.",
        expects="smtp+tls://user:password@host:587, smtps://…, smtp://…, or empty",
        secret=True,
        shown="empty",
    )
    email_from: str = variable(
        "Circuy <circuy@localhost>",
        "Sender of the e-mails.",
        expects="an address, or a name and an address",
    )


class OutgoingSettings(Concern):
    """Addresses that organizations give: webhooks, and Teams."""

    allow_private_addresses: bool = variable(
        False,
        "Whether they may be on this machine or in a private network, and without TLS. For development alone.",
        expects="true or false",
        shown="false",
    )


class DemoSettings(Concern):
    """Maison Orée, the demonstration back-office."""

    demo: bool = variable(
        True,
        "Seed and serve Maison Orée. Turn off for an installation of your own.",
        expects="true or false",
        shown="true",
    )
    demo_publishable_key: Annotated[str, Field(pattern=r"^pk_[A-Za-z0-9_]{16,60}$")] = variable(
        "pk_demo_maison_oree_0123456789abcdef",
        "Publishable key on Maison Orée's pages.",
        expects="pk_ and 16 to 60 letters, digits or underscores",
    )


class LogSettings(Concern):
    """What is written to the log."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = variable(
        "INFO",
        "Least serious message that is logged.",
        expects="DEBUG, INFO, WARNING or ERROR",
    )


CONCERNS: tuple[type[Concern], ...] = (
    DataSettings,
    DatabaseSettings,
    RedisSettings,
    WebSettings,
    SecuritySettings,
    EngineSettings,
    EmbeddingsSettings,
    AskSettings,
    DemonstrationSettings,
    SlackSettings,
    MailSettings,
    OutgoingSettings,
    DemoSettings,
    LogSettings,
)
