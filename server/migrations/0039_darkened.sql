-- How many lamps a command darkens; 0: none. Those of one account within some minutes are summed by the index.
ALTER TABLE command ADD COLUMN darkens integer NOT NULL DEFAULT 0;
CREATE INDEX command_darkened ON command (actor_id, created_at) INCLUDE (id, darkens, phase) WHERE darkens > 0;
