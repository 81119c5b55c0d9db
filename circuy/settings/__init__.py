"""Django's settings, assembled from the environment (see `environment` and docs/configuration.md)."""

from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from circuy.embedded.places import places_of
from circuy.settings import environment, loading
from circuy.settings.database import database_from_url
from circuy.settings.log import logging_config
from circuy.settings.mail import mail_from_url
from circuy.settings.static_headers import add_static_headers

BASE_DIR = environment.BASE_DIR

try:
    _data = loading.load(environment.DataSettings)
    _database = loading.load(environment.DatabaseSettings)
    _redis = loading.load(environment.RedisSettings)
    _web = loading.load(environment.WebSettings)
    _security = loading.load(environment.SecuritySettings)
    _engine = loading.load(environment.EngineSettings)
    _embeddings = loading.load(environment.EmbeddingsSettings)
    _ask = loading.load(environment.AskSettings)
    _demonstrations = loading.load(environment.DemonstrationSettings)
    _slack = loading.load(environment.SlackSettings)
    _mail = loading.load(environment.MailSettings)
    _outgoing = loading.load(environment.OutgoingSettings)
    _demo = loading.load(environment.DemoSettings)
    _log = loading.load(environment.LogSettings)

    PLACES = places_of(_data.circuy_data_dir)
    DATA_DIR = PLACES.data_dir
    loading.require_both_of_a_server(_embeddings)
    if _database.database_url:
        loading.require_shared_secrets(_security)
    SECRET_KEY = _security.secret_key or loading.kept_secret(DATA_DIR / "secret_key")
    ENCRYPTION_KEYS = _security.encryption_keys or (
        loading.kept_secret(DATA_DIR / "encryption_key", lambda: Fernet.generate_key().decode()),
    )
    _demo_identity_secret = loading.kept_secret(DATA_DIR / "demo_identity_secret") if _demo.demo else ""
except loading.ConfigurationError as error:
    loading.stop_with(error)

DEBUG = _security.debug
PUBLIC_URL = _web.address
WEB_HOST = _web.web_host
WEB_PORT = _web.web_port
WEB_WORKERS = _web.web_workers
WEB_THREADS = _web.web_threads
_public = urlsplit(PUBLIC_URL)
ALLOWED_HOSTS = sorted({*_web.allowed_hosts, _public.hostname or "", "localhost", "127.0.0.1", "[::1]"} - {""})
NUM_PROXIES = _web.num_proxies

# What the rooms read.
ASK_WAIT_MS = _ask.ask_wait_ms
RATE_LIMIT_ASK_PER_MINUTE = _ask.rate_limit_ask_per_minute
ENGINE_TIMEOUT_S = _engine.engine_timeout_s
COMPETENCES_DIR = _demonstrations.competences_dir or DATA_DIR / "competences"
RPA_AUTH_DISABLED = DEBUG and _demonstrations.rpa_auth_disabled
EMBEDDINGS_BASE_URL = _embeddings.embeddings_base_url
EMBEDDINGS_MODEL = _embeddings.embeddings_model
EMBEDDINGS_API_KEY = _embeddings.embeddings_api_key
SLACK_API_URL = f"{_slack.slack_api_url}/"
SLACK_CLIENT_ID = _slack.slack_client_id
SLACK_CLIENT_SECRET = _slack.slack_client_secret
SLACK_SIGNING_SECRET = _slack.slack_signing_secret
ALLOW_PRIVATE_ADDRESSES = _outgoing.allow_private_addresses
DEMO = _demo.demo
MAISON_OREE_CIRCUY = {
    "script_url": f"{PUBLIC_URL}/static/circuy/circuy.js",
    "publishable_key": _demo.demo_publishable_key,
    "identity_secret": _demo_identity_secret,
}

INSTALLED_APPS = [
    "circuy.apps.CircuyConfig",
    "organizations",
    "moderation",
    "skills",
    "tours",
    "shadow",
    "demo",
    "circuy.admin_site.apps.CircuyAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "rest_framework",
    "drf_spectacular",
    "csp",
]
AUTH_USER_MODEL = "organizations.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
ROOT_URLCONF = "circuy.urls"
WSGI_APPLICATION = "circuy.wsgi.application"

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "circuy.middleware.ApiGuardMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "csp.middleware.CSPMiddleware",
    "circuy.middleware.NoNulMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "organizations.middleware.TenantScopeMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASE_EMBEDDED = not _database.database_url
EMBEDDED_DURABLE = True  # the tests say False: fast, and the whole data folder goes when the last process has ended
DATABASES = {
    "default": database_from_url(
        _database.database_url or PLACES.database_url,
        pool_size=_database.database_pool_size,
        # The embedded one is Django's own, which first makes sure that the server runs.
        engine="circuy.embedded.database" if DATABASE_EMBEDDED else "django.db.backends.postgresql",
    )
}

REDIS_EMBEDDED = not _redis.redis_url
REDIS_URL = _redis.redis_url or PLACES.redis_url
CACHES = {
    "default": {
        "BACKEND": "circuy.embedded.valkey_client.EmbeddedCache"
        if REDIS_EMBEDDED
        else "circuy.forgiving_cache.ForgivingCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "circuy",
    }
}

_mail_server = mail_from_url(_mail.email_url)
EMAIL_BACKEND = _mail_server.backend
EMAIL_HOST = _mail_server.host
EMAIL_PORT = _mail_server.port
EMAIL_HOST_USER = _mail_server.user
EMAIL_HOST_PASSWORD = _mail_server.password
EMAIL_USE_TLS = _mail_server.starttls
EMAIL_USE_SSL = _mail_server.tls
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = _mail.email_from

LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", _("French")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Paris"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Names stay as they are (no hashes): the SDK's address is in other people's pages. `collectstatic` adds the
# compressed copies; before its first run the files are served straight from their sources.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG or not STATIC_ROOT.is_dir()
WHITENOISE_MAX_AGE = 0 if DEBUG else 300
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_ADD_HEADERS_FUNCTION = add_static_headers

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "frame-ancestors": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
_https = _public.scheme == "https"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = True
SECURE_HSTS_SECONDS = 31_536_000 if _https else 0
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
if NUM_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
PASSWORD_HASHERS = [
    # The first makes what is new; a password that another one made is made again when its owner signs in.
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
# The review of a learnt page sends six fields for each of its actions, and a scan has up to 2,000 nodes.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 14_000

# Signing in to the administration: see docs/signing-in.md.
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"
ACCOUNT_ADAPTER = "organizations.signin.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_ENABLED = False
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
# Whoever has an account got it by an invitation to its address.
ACCOUNT_EMAIL_VERIFICATION = "none"
MFA_ALLOW_UNVERIFIED_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"  # noqa: S105
ACCOUNT_FORMS = {
    "login": "organizations.signin.forms.SignInForm",
    "reauthenticate": "organizations.signin.forms.ConfirmPasswordForm",
    "change_password": "organizations.signin.forms.ChangePasswordForm",
    "reset_password": "organizations.signin.forms.ForgottenPasswordForm",
    "reset_password_from_key": "organizations.signin.forms.NewPasswordForm",
}
# What fails counts for one address on the network and one account together: nobody locks another person out.
ACCOUNT_RATE_LIMITS = {"login": "60/m/ip", "login_failed": "60/m/ip,10/5m/key"}
MFA_ADAPTER = "organizations.signin.adapter.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1
MFA_FORMS = {
    "authenticate": "organizations.signin.forms.CodeForm",
    "reauthenticate": "organizations.signin.forms.ConfirmCodeForm",
    "activate_totp": "organizations.signin.forms.FirstCodeForm",
    "add_webauthn": "organizations.signin.forms.AddPasskeyForm",
}

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["circuy.parsers.StrictJsonParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "circuy.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Circuy",
    "DESCRIPTION": "Ask a question about a page, be walked to the right field.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/(?:api/)?v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "circuy.openapi.describe_problems",
    ],
    "ENUM_NAME_OVERRIDES": {
        "LocaleEnum": "organizations.models.Organization.Locale",
        "AnswerStatusEnum": ["ephemeral", "published"],
        "ScanStateEnum": "skills.models.PageScan.State",
        "ActionEnum": ["next", "back", "complete", "cancel"],
        "ShadowFeedbackActionEnum": "shadow.models.Feedback.Action",
        "ObservationStatusEnum": "shadow.models.ObservationSession.Status",
        "UnderstoodStateEnum": "shadow.models.UnderstoodStep.State",
        "TourEventTypeEnum": "tours.models.TourEvent.Type",
    },
}

LOGGING = logging_config(_log.log_level)
