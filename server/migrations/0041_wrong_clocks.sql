-- Since when the clock of a device has been wrong by more than a minute (abs(clock_offset_ms) > 60000); null: it is right to a minute, '-infinity':
-- since before this was kept. The index goes by this column, not by the offset: an offset that is learnt anew touches no index.
ALTER TABLE device_latest ADD COLUMN clock_wrong_since timestamptz;
UPDATE device_latest SET clock_wrong_since = '-infinity' WHERE abs(clock_offset_ms) > 60000;
CREATE INDEX device_latest_clock_wrong ON device_latest (clock_wrong_since) WHERE clock_wrong_since IS NOT NULL;
