-- A work area whose zone or place is changed darkens its lamps too.
ALTER TABLE darkening DROP CONSTRAINT IF EXISTS darkening_cause_check;
ALTER TABLE darkening ADD CONSTRAINT darkening_cause_check CHECK (cause IN ('rows', 'holidays', 'places'));
