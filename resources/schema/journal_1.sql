-- The client's journal, version 1. Times are milliseconds since 1970 in UTC. No card number, no security code and no
-- bearer token is kept.

-- One row a user action; its id is also the idempotency key. `body` is what a POST sends, byte for byte: an action is
-- ready, and may be sent, once it is there.
CREATE TABLE actions (
    id TEXT PRIMARY KEY NOT NULL,
    reference TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    server_id TEXT NOT NULL,
    cart_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0),
    currency TEXT NOT NULL,
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    lease INTEGER NOT NULL CHECK (lease > 0),
    told_not_started INTEGER NOT NULL CHECK (told_not_started IN (0, 1)),
    payment_method TEXT,
    brand TEXT,
    last_four TEXT,
    body BLOB,
    fingerprint TEXT,
    final_state TEXT CHECK (final_state IN ('Paid', 'Declined', 'Cancelled')),
    final_cause TEXT,
    order_number TEXT,
    charge_id TEXT,
    decline_code TEXT,
    CHECK ((body IS NULL) = (fingerprint IS NULL)),
    CHECK ((body IS NULL) = (payment_method IS NULL)),
    CHECK ((final_state IS NULL) = (final_cause IS NULL))
) STRICT;

-- A cart has one action that is unresolved or paid. Declined and Cancelled free it. Another shop may have a cart and an
-- account of the same names.
CREATE UNIQUE INDEX one_action_a_cart ON actions (server_id, account, cart_id) WHERE final_state IS NULL OR final_state = 'Paid';

-- One row a wire attempt, written before it starts. Without an end the process died: bytes may have left.
CREATE TABLE attempts (
    action_id TEXT NOT NULL REFERENCES actions (id),
    number INTEGER NOT NULL CHECK (number > 0),
    started_at INTEGER NOT NULL,
    bytes_taken INTEGER CHECK (bytes_taken >= 0),
    status INTEGER,
    error TEXT,
    reason TEXT,
    PRIMARY KEY (action_id, number),
    CHECK ((bytes_taken IS NULL) = (error IS NULL)),
    CHECK ((bytes_taken IS NULL) = (reason IS NULL))
) STRICT, WITHOUT ROWID;
