-- The shop's ledger, version 1. Statements are separated by an empty line. Times are milliseconds since 1970, amounts
-- integer minor units. Rules: docs/contract.md, "States of a record" and "Identity".

CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

-- `fence`: the newest fence number given. `order_number`: the newest order number given.
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT;

INSERT INTO counters (name, value) VALUES ('fence', 0), ('order_number', 1000);

CREATE TABLE key_records (
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    policy_id TEXT NOT NULL,
    fingerprint BLOB CHECK (fingerprint IS NULL OR length(fingerprint) = 32),
    cart_id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    payment_method TEXT NOT NULL,
    email TEXT NOT NULL,
    valid_until INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('in_progress', 'unknown', 'succeeded', 'failed', 'abandoned')),
    owner TEXT NOT NULL,
    fence INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    bank_key TEXT UNIQUE,
    first_seen INTEGER NOT NULL,
    settled_at INTEGER,
    payment_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    charge_id TEXT NOT NULL DEFAULT '',
    decline_code TEXT NOT NULL DEFAULT '',
    reason TEXT,
    held_by TEXT NOT NULL DEFAULT '',
    answer_status INTEGER,
    answer_body BLOB,
    asked INTEGER NOT NULL DEFAULT 0,
    next_ask_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, action_id),
    CHECK ((answer_status IS NULL) = (answer_body IS NULL)),
    CHECK ((reason IS NOT NULL) = (state = 'abandoned')),
    CHECK (bank_key IS NOT NULL OR state = 'abandoned')
) STRICT;

CREATE INDEX open_records ON key_records (first_seen, action_id) WHERE state IN ('in_progress', 'unknown');

CREATE INDEX open_records_of_account ON key_records (account) WHERE state IN ('in_progress', 'unknown');

CREATE TABLE orders (
    id TEXT NOT NULL PRIMARY KEY,
    number TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    cart_id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'closed')),
    payment_id TEXT NOT NULL UNIQUE,
    charge_id TEXT NOT NULL DEFAULT '',
    decline_code TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (account, action_id),
    FOREIGN KEY (account, action_id) REFERENCES key_records (account, action_id)
) STRICT;

CREATE UNIQUE INDEX one_order_a_cart ON orders (account, cart_id) WHERE status IN ('open', 'paid');

CREATE TABLE carts (
    account TEXT NOT NULL,
    number INTEGER NOT NULL CHECK (number >= 1),
    cart_id TEXT NOT NULL,
    tax_minor INTEGER NOT NULL,
    total_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    PRIMARY KEY (account, number),
    UNIQUE (account, cart_id)
) STRICT;

CREATE TABLE cart_lines (
    account TEXT NOT NULL,
    cart_number INTEGER NOT NULL,
    line INTEGER NOT NULL,
    name TEXT NOT NULL,
    quantity INTEGER NOT NULL CHECK (quantity >= 1),
    amount_minor INTEGER NOT NULL,
    PRIMARY KEY (account, cart_number, line),
    FOREIGN KEY (account, cart_number) REFERENCES carts (account, number) ON DELETE CASCADE
) STRICT;

-- A card that was exchanged; neither its number nor its security code is here.
CREATE TABLE payment_methods (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    brand TEXT NOT NULL,
    last_four TEXT NOT NULL CHECK (length(last_four) = 4),
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX payment_methods_by_expiry ON payment_methods (expires_at);
