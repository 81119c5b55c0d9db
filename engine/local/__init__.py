"""The provider that needs no network: a lexicon, two stemmers and the evidence on the page."""
