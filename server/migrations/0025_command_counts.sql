-- What a command came to, by work area and state: {"<area>": {"<state>": number}}. Kept once nothing of it is open any more: no state of it changes again.
-- A list of commands reads these; null: counted from the items. By area, since a reader is told of its own areas only.
ALTER TABLE command ADD counts jsonb;
CREATE INDEX command_uncounted ON command (id) WHERE counts IS NULL;
