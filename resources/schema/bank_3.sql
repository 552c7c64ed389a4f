-- The bank's ledger, version 3: support asks for everything about one action. A fence names none.

CREATE INDEX charges_of_action ON charges (action_id) WHERE action_id IS NOT NULL;
