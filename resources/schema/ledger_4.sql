-- The shop's ledger, version 4: what the bank says by itself (docs/contract.md, "Webhooks and mails"), where it contradicts how a
-- record ended, and what people have to look at.

-- One row an event id. `outcome`: what it did; parked until a record has its bank key. `deliveries`: how often it came.
CREATE TABLE webhook_events (
    id TEXT NOT NULL PRIMARY KEY,
    bank_key TEXT NOT NULL,
    transition TEXT NOT NULL CHECK (transition IN ('charge.succeeded', 'charge.declined')),
    sequence INTEGER NOT NULL,
    charge_id TEXT NOT NULL DEFAULT '',
    decline_code TEXT NOT NULL DEFAULT '',
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    said_at INTEGER NOT NULL,
    received_at INTEGER NOT NULL,
    deliveries INTEGER NOT NULL DEFAULT 1,
    outcome TEXT NOT NULL CHECK (outcome IN ('parked', 'applied', 'agrees', 'same_fact', 'late', 'contradiction'))
) STRICT;

CREATE INDEX events_of_payment ON webhook_events (bank_key);

CREATE INDEX parked_events ON webhook_events (received_at, id) WHERE outcome = 'parked';

CREATE INDEX events_by_age ON webhook_events (received_at);

-- What an effect is keyed by: a payment (by its bank key) and a transition. The same fact under a new event id is one row.
CREATE TABLE webhook_facts (
    bank_key TEXT NOT NULL,
    transition TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (bank_key, transition)
) STRICT;

CREATE INDEX facts_by_age ON webhook_facts (at);

-- An event that says otherwise than the record, which stays as it is. `state`: the record's then.
CREATE TABLE discrepancies (
    event_id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    state TEXT NOT NULL,
    transition TEXT NOT NULL,
    charge_id TEXT NOT NULL DEFAULT '',
    decline_code TEXT NOT NULL DEFAULT '',
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX discrepancies_of_action ON discrepancies (account, action_id);

-- What a person has to look at; one row an action and cause, opened again by a new event.
CREATE TABLE support_tasks (
    account TEXT NOT NULL,
    action_id TEXT NOT NULL,
    cause TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    closed_at INTEGER,
    PRIMARY KEY (account, action_id, cause)
) STRICT;

CREATE INDEX open_tasks ON support_tasks (opened_at) WHERE closed_at IS NULL;
