-- The bank's ledger, version 2: what it tells its shop by itself. One row a transition of a bank key, written with the charge.
-- Times here are milliseconds since 1970. `next_try_at`: NULL once it was delivered, or given up (then `delivered_at` is NULL too).

CREATE TABLE events (
    bank_key TEXT NOT NULL REFERENCES charges (bank_key),
    sequence INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER,
    delivered_at INTEGER,
    PRIMARY KEY (bank_key, sequence)
) STRICT;

CREATE INDEX waiting_events ON events (next_try_at) WHERE next_try_at IS NOT NULL;
