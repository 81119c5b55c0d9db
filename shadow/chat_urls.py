"""The chat's address, under /v1/."""

from django.urls import path

from shadow.chat_api import Chat

urlpatterns = [path("chat", Chat.as_view(), name="chat")]
