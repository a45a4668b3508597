-- Accounts that a broker with accounts of its own does not know yet: after every change of a batch's secret until the broker has taken it. What
-- stood before counts as known.
ALTER TABLE batch ADD COLUMN is_granted boolean NOT NULL DEFAULT true;
CREATE INDEX batch_not_granted ON batch (id) WHERE NOT is_granted;
-- Of a claimed newcomer: its secret stays sealed until then.
CREATE INDEX newcomer_not_granted ON newcomer (id) WHERE state = 'claimed' AND secret_sealed IS NOT NULL;
