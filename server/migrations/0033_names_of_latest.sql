-- Which names `values` has, as a number made of them by who wrote it last; null: not known. A reading with exactly the same names replaces the
-- values instead of being merged into them, which is a quarter of what latest values cost (decision record 27).
ALTER TABLE device_latest ADD COLUMN names bigint;
