"""The addresses that Slack knows; deploy/slack/manifest.yaml names them."""

from django.urls import path

from moderation.slack import oauth, views

urlpatterns = [
    path("interactions", views.interactions_view, name="slack_interactions"),
    path("commands", views.commands_view, name="slack_commands"),
    path("oauth/start", oauth.start_view, name="slack_oauth_start"),
    path("oauth/callback", oauth.callback_view, name="slack_oauth_callback"),
]
