"""What Slack sends: buttons, windows, commands, and the way back from its consent page."""
