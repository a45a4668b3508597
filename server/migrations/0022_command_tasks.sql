-- Commands at the scale of a large city: lanes, waiting and cancelled items, canaries, approvals, pacing by gateway, verification by reading back.

-- Lanes by their strength: 0 emergency, 1 manual, 2 plan, 3 read, 4 firmware.
ALTER TABLE command
  ADD lane smallint NOT NULL DEFAULT 1 CHECK (lane BETWEEN 0 AND 4),
  -- awaitingApproval, staged (running, with parts that wait for their turn), running, halted, cancelled, refused, lapsed
  ADD phase text NOT NULL DEFAULT 'running',
  -- What the caller names a request by: sent again, it is answered with the same command.
  ADD request_id text,
  -- Given by the caller; null: the site's limit counts from the moment in which an item is queued.
  ADD expires_at timestamptz,
  ADD retry_of bigint,
  -- The command whose unknown items these reads settle.
  ADD verifies bigint,
  -- {"count", "minSuccessPercent", "waitSeconds", "state": "pending" | "passed" | "failed", "began": time, "judged": time}
  ADD canary jsonb,
  -- {"failurePercent", "afterAtLeast"}; counted from items that ended after `counted_from`.
  ADD stop_at jsonb,
  ADD counted_from timestamptz,
  -- {"why": "canary" | "failures", "at", "finished", "failed"}
  ADD halted jsonb,
  -- {"by", "at", "reason"}
  ADD cancelled jsonb,
  -- {"digest", "expiresAt", "approved": null | boolean, "by", "byId", "at", "reason"}
  ADD approval jsonb;
CREATE UNIQUE INDEX command_request ON command (actor_id, request_id) WHERE request_id IS NOT NULL;
-- What somebody or a job still has to decide about.
CREATE INDEX command_open_phase ON command (phase) WHERE phase IN ('awaitingApproval', 'halted', 'staged');
CREATE INDEX command_verifies ON command (verifies) WHERE verifies IS NOT NULL;

-- Further states: waiting (its turn has not come: approval, canary, halted) and cancelled.
ALTER TABLE command_item
  ADD lane smallint NOT NULL DEFAULT 1,
  -- The controller it goes through, whose pace counts; 0: none.
  ADD via_id bigint NOT NULL DEFAULT 0,
  ADD canary boolean NOT NULL DEFAULT false,
  -- When a process took it to send; without a state `sent` soon after, another takes it.
  ADD claimed_at timestamptz,
  -- What a reading asked for afterwards showed: {"commandId", "outcome": "confirmed" | "contradicted", "at", "level", "power", "relay"}
  ADD verification jsonb;
DROP INDEX command_item_open;
DROP INDEX command_item_open_by_device;
-- The queue, by gateway and strength: heads of all gateways are found by one step each.
CREATE INDEX command_item_queue ON command_item (via_id, lane, queued_at, command_id, device_id) WHERE state = 'queued';
CREATE INDEX command_item_unsent ON command_item (expires_at) WHERE state IN ('waiting', 'queued');
CREATE INDEX command_item_unproved ON command_item (state, sent_at) WHERE state IN ('sent', 'acknowledged');
CREATE INDEX command_item_open_by_device ON command_item (device_id) WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged');
-- A claim changes no index: it finds room beside its row. (No index by state: counting a command reads its rows once, every index is written five times.)
ALTER TABLE command_item SET (fillfactor = 60);
UPDATE command_item i SET lane = 3 FROM command c WHERE c.id = i.command_id AND c.command = 'read';
UPDATE command SET lane = 3 WHERE command = 'read';

-- The pace of a gateway, shared by every process: when it may be sent to again, and how many messages a second it takes (null: the site's).
CREATE TABLE command_pace (
  device_id  bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE,
  free_at    timestamptz NOT NULL DEFAULT '1970-01-01T00:00:00Z',
  per_second double precision CHECK (per_second > 0)
);
