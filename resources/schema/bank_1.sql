-- The bank's ledger, version 1. Times are RFC 3339 in UTC. No card number and no security code is kept.

CREATE TABLE meta (
    name TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE cards (
    payment_method TEXT PRIMARY KEY NOT NULL,
    decline_code TEXT NOT NULL,      -- what a charge answers, empty: approved
    brand TEXT NOT NULL,
    last4 TEXT NOT NULL CHECK (length(last4) = 4),
    at TEXT NOT NULL
) STRICT;

-- One row a key, for ever: the first charge or fence decides.
CREATE TABLE charges (
    bank_key TEXT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('approved', 'declined', 'fenced')),
    action_id TEXT,
    charge_id TEXT UNIQUE,
    amount INTEGER CHECK (amount > 0),
    currency TEXT,
    decline_code TEXT,
    at TEXT NOT NULL,
    CHECK ((state = 'approved') = (charge_id IS NOT NULL)),
    CHECK ((state = 'declined') = (decline_code IS NOT NULL)),
    CHECK ((state = 'fenced') = (amount IS NULL AND currency IS NULL AND action_id IS NULL))
) STRICT;
