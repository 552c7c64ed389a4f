-- The shop's ledger, version 5: what support finds actions by, and the audit of what support did (docs/contract.md, "Support").
-- `last_four` stays with the record as long as that is kept: a payment method is forgotten after a day. The last eight digits of
-- an action ID are its reference; an action with an order is found by the order, for ever, every other one by its record.

ALTER TABLE key_records ADD COLUMN last_four TEXT CHECK (last_four IS NULL OR length(last_four) = 4);

UPDATE key_records SET last_four = (SELECT m.last_four FROM payment_methods AS m
    WHERE m.id = key_records.payment_method AND m.account = key_records.account);

CREATE INDEX orders_by_reference ON orders (substr(action_id, length(action_id) - 7));

CREATE INDEX orders_by_cart ON orders (cart_id, created_at);

CREATE INDEX orderless_by_reference ON key_records (substr(action_id, length(action_id) - 7)) WHERE order_id = '' AND kind <> 'support';

CREATE INDEX records_by_email ON key_records (lower(email), first_seen) WHERE email IS NOT NULL;

CREATE INDEX records_by_last_four ON key_records (last_four, first_seen) WHERE last_four IS NOT NULL;

CREATE INDEX accounts_by_action ON accounts (owner, action_id);

-- One row for every look-up and every deed of support, never deleted. `action_id` is the action it is about, empty for a search;
-- `deed_id` the ID of the deed itself, empty for what only looks.
CREATE TABLE support_audit (
    at INTEGER NOT NULL,
    who TEXT NOT NULL,
    deed TEXT NOT NULL,
    account TEXT NOT NULL DEFAULT '',
    action_id TEXT NOT NULL DEFAULT '',
    deed_id TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX deeds_of_action ON support_audit (account, action_id, at) WHERE deed_id <> '';
