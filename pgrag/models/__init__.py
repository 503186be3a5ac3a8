"""Model providers: `openai` (any compatible server), `offline` (no network, no key), `scripted` (tests)."""
