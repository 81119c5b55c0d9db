"""Headers of static files: the SDK's are for every site, the rest for ours alone."""

from wsgiref.headers import Headers


def add_static_headers(headers: Headers, path: str, url: str) -> None:  # noqa: ARG001
    """Lets any page load the SDK, from strict (`require-corp`) pages too."""
    if url.startswith("/static/circuy/"):
        headers["Access-Control-Allow-Origin"] = "*"
        headers["Cross-Origin-Resource-Policy"] = "cross-origin"
