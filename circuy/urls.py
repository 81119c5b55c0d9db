"""Every address of the server."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

import circuy.openapi  # noqa: F401 - registers how keys are described
from circuy import health

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index"), name="home"),
    path("admin/", include("organizations.signin.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("slack/", include("moderation.slack.urls")),
    path("v1/", include("organizations.urls")),
    path("v1/", include("tours.urls")),
    path("v1/", include("skills.urls")),
    path("v1/", include("shadow.chat_urls")),
    path("api/v1/", include("shadow.urls")),
    path("v1/schema/", SpectacularAPIView.as_view(), name="schema"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
]
if settings.DEMO:
    urlpatterns.append(path("maison-oree/", include("demo.urls")))
