-- The client's journal, version 2: kinds beside payments, the wish to cancel, conflicts, adopted actions, who owns an action,
-- and which ends a person has seen. Every table that refers to actions is made anew with it.

CREATE TABLE actions_2 (
    id TEXT PRIMARY KEY NOT NULL,
    reference TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('payment', 'account', 'other')),
    path TEXT NOT NULL,
    account TEXT NOT NULL,
    server_id TEXT NOT NULL,
    cart_id TEXT NOT NULL,
    amount INTEGER NOT NULL CHECK (amount > 0 OR (amount = 0 AND kind <> 'payment')),
    currency TEXT NOT NULL,
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    lease INTEGER NOT NULL CHECK (lease > 0),
    owner INTEGER NOT NULL, -- the instance in `owners`; 0: nobody
    told_not_started INTEGER NOT NULL CHECK (told_not_started IN (0, 1)),
    adopted INTEGER NOT NULL CHECK (adopted IN (0, 1)), -- another device's: never POSTed
    payment_method TEXT,
    brand TEXT,
    last_four TEXT,
    body BLOB,
    fingerprint TEXT,
    wish_cause TEXT, -- the saved wish to cancel: from here on nobody POSTs this ID
    wish_detail TEXT,
    conflict TEXT,
    final_state TEXT CHECK (final_state IN ('Paid', 'Declined', 'NotCharged', 'Cancelled')),
    final_cause TEXT,
    final_detail TEXT,
    order_number TEXT,
    charge_id TEXT,
    decline_code TEXT,
    charged_amount INTEGER,
    charged_currency TEXT,
    seen INTEGER NOT NULL CHECK (seen IN (0, 1)),
    CHECK ((body IS NULL) = (fingerprint IS NULL)),
    CHECK ((body IS NULL) = (payment_method IS NULL)),
    CHECK (adopted = 0 OR body IS NULL),
    CHECK ((wish_cause IS NULL) = (wish_detail IS NULL)),
    CHECK ((final_state IS NULL) = (final_cause IS NULL)),
    CHECK ((charged_amount IS NULL) = (charged_currency IS NULL))
) STRICT;

INSERT INTO actions_2 (id, reference, kind, path, account, server_id, cart_id, amount, currency, email, created_at, valid_until,
                       lease, owner, told_not_started, adopted, payment_method, brand, last_four, body, fingerprint, final_state,
                       final_cause, final_detail, order_number, charge_id, decline_code, seen)
SELECT id, reference, 'payment', '/v1/payments', account, server_id, cart_id, amount, currency, email, created_at, valid_until,
       lease, 0, told_not_started, 0, payment_method, brand, last_four, body, fingerprint, final_state, final_cause,
       CASE WHEN final_state IS NULL THEN NULL ELSE '' END, order_number, charge_id, decline_code, final_state IS NOT NULL
FROM actions;

CREATE TABLE attempts_2 (
    action_id TEXT NOT NULL REFERENCES actions_2 (id),
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

INSERT INTO attempts_2 SELECT action_id, number, started_at, bytes_taken, status, error, reason FROM attempts;

DROP TABLE attempts;

DROP TABLE actions;

-- And what attempts_2 refers to.
ALTER TABLE actions_2 RENAME TO actions;

ALTER TABLE attempts_2 RENAME TO attempts;

-- A cart has one action that is unresolved or paid; Declined, NotCharged and Cancelled free it. Of other kinds only what is
-- unresolved counts. Another shop may have a cart and an account of the same names.
CREATE UNIQUE INDEX one_action_a_cart ON actions (server_id, account, kind, cart_id)
WHERE final_state IS NULL OR (final_state = 'Paid' AND kind = 'payment');

-- One row a program that has something to do: the actions it owns name it. Whose time is over, or of another boot, is dead, and is
-- struck off by whoever sees it.
CREATE TABLE owners (
    instance INTEGER PRIMARY KEY NOT NULL,
    boot TEXT NOT NULL,
    alive_until INTEGER NOT NULL -- milliseconds of that boot's monotonic clock
) STRICT;

-- What the owner of an action shows of it, under its lease, once somebody looks.
CREATE TABLE shown (
    action_id TEXT PRIMARY KEY NOT NULL REFERENCES actions (id),
    lease INTEGER NOT NULL,
    state TEXT NOT NULL,
    cause TEXT NOT NULL,
    detail TEXT NOT NULL,
    is_long INTEGER NOT NULL CHECK (is_long IN (0, 1)),
    next_try INTEGER -- microseconds of the monotonic clock
) STRICT;

-- What was pressed in a window that only looks, for the owner to act on.
CREATE TABLE presses (
    number INTEGER PRIMARY KEY,
    action_id TEXT NOT NULL REFERENCES actions (id),
    what TEXT NOT NULL CHECK (what IN ('check_again', 'cancel'))
) STRICT;
