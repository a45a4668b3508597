-- Publications: each lamp belongs to one that is open, is looked at when there may be news of it, and what an account
-- darkened in the last minutes is found.

ALTER TABLE publication_item
  -- Its publication still speaks to the lamp.
  ADD COLUMN open    boolean NOT NULL DEFAULT true,
  -- When there may be news of the lamp; null: it was not told yet, or is not watched any more.
  ADD COLUMN look_at timestamptz;
DROP INDEX publication_item_open;
-- One open publication for each lamp: the second one is refused by the name of the first.
CREATE UNIQUE INDEX publication_item_open ON publication_item (device_id) WHERE open;
CREATE INDEX publication_item_look ON publication_item (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX publication_reverts ON publication (reverts) WHERE reverts IS NOT NULL;
-- What an account darkened in the last minutes.
CREATE INDEX publication_darkened ON publication (actor_id, created_at) WHERE darkens > 0;
