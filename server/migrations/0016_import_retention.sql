-- When the rows of an old import were taken away: what was imported stays, undoing it and its failed rows are no longer possible.
ALTER TABLE import ADD COLUMN rows_removed_at timestamptz;
