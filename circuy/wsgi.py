"""The WSGI application, for granian or any other server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "circuy.settings")

application = get_wsgi_application()
