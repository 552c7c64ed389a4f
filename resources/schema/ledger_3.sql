-- The shop's ledger, version 3: keys of other kinds than a payment (docs/contract.md, "Sign-up"), the accounts they make, and
-- mails with their outbox. Records of kinds without a bank have neither terms nor a bank key. The table of records is made anew,
-- because SQLite cannot change a CHECK.

CREATE TABLE new_key_records (
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('payment', 'account', 'support')),
    policy_id TEXT NOT NULL,
    fingerprint BLOB CHECK (fingerprint IS NULL OR length(fingerprint) = 32),
    cart_id TEXT,
    amount_minor INTEGER,
    currency TEXT,
    payment_method TEXT,
    email TEXT,
    valid_until INTEGER,
    state TEXT NOT NULL CHECK (state IN ('in_progress', 'unknown', 'succeeded', 'failed', 'abandoned')),
    owner TEXT NOT NULL,
    fence INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    bank_key TEXT UNIQUE,
    cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
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
    CHECK ((cart_id IS NULL) = (amount_minor IS NULL) AND (cart_id IS NULL) = (currency IS NULL)),
    CHECK ((cart_id IS NULL) = (payment_method IS NULL) AND (cart_id IS NULL) = (email IS NULL)),
    CHECK ((cart_id IS NULL) = (valid_until IS NULL)),
    CHECK (cart_id IS NOT NULL OR bank_key IS NULL),
    CHECK ((answer_status IS NULL) = (answer_body IS NULL)),
    CHECK ((reason IS NOT NULL) = (state = 'abandoned')),
    CHECK (kind <> 'payment' OR bank_key IS NOT NULL OR state = 'abandoned'),
    CHECK (kind = 'payment' OR state NOT IN ('in_progress', 'unknown'))
) STRICT;

INSERT INTO new_key_records (account, action_id, kind, policy_id, fingerprint, cart_id, amount_minor, currency, payment_method,
    email, valid_until, state, owner, fence, lease_until, bank_key, cancel_requested, first_seen, settled_at, payment_id, order_id,
    charge_id, decline_code, reason, held_by, answer_status, answer_body, asked, next_ask_at)
SELECT account, action_id, 'payment', policy_id, fingerprint, cart_id, amount_minor, currency, payment_method, email, valid_until,
    state, owner, fence, lease_until, bank_key, cancel_requested, first_seen, settled_at, payment_id, order_id, charge_id,
    decline_code, reason, held_by, answer_status, answer_body, asked, next_ask_at
FROM key_records;

DROP TABLE key_records;

ALTER TABLE new_key_records RENAME TO key_records;

CREATE INDEX open_records ON key_records (first_seen, action_id) WHERE state IN ('in_progress', 'unknown');

CREATE INDEX open_records_of_account ON key_records (account) WHERE state IN ('in_progress', 'unknown');

CREATE INDEX tombstones_of_account ON key_records (account, first_seen) WHERE bank_key IS NULL AND state = 'abandoned';

CREATE INDEX settled_records ON key_records (settled_at) WHERE settled_at IS NOT NULL;

-- What a sign-up makes. `owner`: the account of the token it came with. `email_key`: the address in the one form in which two
-- spellings of it are the same; unique, so that parallel sign-ups make one account.
CREATE TABLE accounts (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    action_id TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

-- Mails to be sent, written in the transaction of the fact they tell. `fact` names it (`receipt:pay_…`); a deliberate re-send is
-- a further row of the same fact with `resend` = 1 and a delivery id of its own.
CREATE TABLE outbox (
    delivery_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('receipt', 'welcome', 'already_registered')),
    fact TEXT NOT NULL,
    resend INTEGER NOT NULL DEFAULT 0 CHECK (resend IN (0, 1)),
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    order_id TEXT NOT NULL DEFAULT '',
    recipient TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    next_try_at INTEGER NOT NULL,
    sent_at INTEGER
) STRICT;

CREATE UNIQUE INDEX one_mail_a_fact ON outbox (fact) WHERE resend = 0;

CREATE INDEX waiting_mails ON outbox (next_try_at, delivery_id) WHERE sent_at IS NULL;

CREATE INDEX mails_of_action ON outbox (account, action_id);

-- The mail system, which is the outside world: what arrived there. It knows a delivery id it has had.
CREATE TABLE mails (
    delivery_id TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    recipient TEXT NOT NULL,
    action_id TEXT NOT NULL,
    order_id TEXT NOT NULL DEFAULT '',
    at INTEGER NOT NULL
) STRICT;
