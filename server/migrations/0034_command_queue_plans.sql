-- Nothing that is open has ended already; were it so, it is open.
UPDATE command_item SET ended_at = NULL WHERE ended_at IS NOT NULL AND state IN ('waiting', 'queued', 'sent', 'acknowledged');
-- What is open in other ways than being queued is found by indexes that no question about the queue can take: statistics of a quiet night say that each of
-- them is empty, and then a claim of the next thousand looked through everything open and put it in order, instead of reading the queue's own order.
DROP INDEX command_item_unsent;
CREATE INDEX command_item_unsent ON command_item (expires_at) WHERE ended_at IS NULL AND state IN ('waiting', 'queued');
DROP INDEX command_item_open_by_device;
CREATE INDEX command_item_open_by_device ON command_item (device_id) WHERE ended_at IS NULL AND state IN ('waiting', 'queued', 'sent', 'acknowledged');
-- What is open has not ended: else neither index would hold it, and nothing would ever end it.
ALTER TABLE command_item ADD CONSTRAINT command_item_open_has_no_end CHECK (ended_at IS NULL OR state NOT IN ('waiting', 'queued', 'sent', 'acknowledged'));
-- Whether anything stronger is in force anywhere is asked before each lamp is asked: mostly nothing is.
CREATE INDEX command_in_force ON command (lane, until) WHERE until IS NOT NULL;
