"""What the benches that need a browser share: pages, a Chromium, what is put into a page, tables."""
