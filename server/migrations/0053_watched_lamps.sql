-- Lamps of which there may be news stand in a table of their own. A lamp that is proven is written in its place: no index
-- of publication_item names what changes then, and its page has room for the row as it will be.

-- A told lamp as long as it is watched, or may still report; its row goes when neither is so.
CREATE TABLE publication_watch (
  publication_id bigint NOT NULL,
  device_id      bigint NOT NULL,
  -- When there may be news of the lamp; null: it is not watched any more, and has not reported.
  look_at        timestamptz,
  PRIMARY KEY (publication_id, device_id)
);
INSERT INTO publication_watch SELECT publication_id, device_id, look_at FROM publication_item
  WHERE look_at IS NOT NULL OR state = 'told';
ALTER TABLE publication_watch ADD FOREIGN KEY (publication_id, device_id) REFERENCES publication_item ON DELETE CASCADE;
CREATE INDEX publication_watch_look ON publication_watch (look_at) WHERE look_at IS NOT NULL;

DROP INDEX publication_item_look;
DROP INDEX publication_item_watched;
DROP INDEX publication_item_state;
DROP INDEX publication_item_astray;
ALTER TABLE publication_item
  DROP COLUMN look_at,
  -- Its turn is to come when a person, or what the first part came to, says so.
  ADD COLUMN waiting boolean NOT NULL GENERATED ALWAYS AS (state = 'waiting') STORED,
  -- It was found not to follow what it was told, or cannot.
  ADD COLUMN astray boolean NOT NULL GENERATED ALWAYS AS (state IN ('diverged', 'cannot')) STORED;
CREATE INDEX publication_item_astray ON publication_item (device_id, publication_id) WHERE astray;
-- Lamps that wait, and those whose turn has come.
CREATE INDEX publication_item_waiting ON publication_item (publication_id, device_id) WHERE waiting;
CREATE INDEX publication_item_turn ON publication_item (publication_id, device_id)
  WHERE open AND told_at IS NULL AND NOT waiting;
-- A row grows to nearly three times its size until its lamp is proven.
ALTER TABLE publication_item SET (fillfactor = 30);
