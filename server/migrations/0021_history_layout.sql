-- History is asked by device and by time; decision record 27 has the measurements. One tree leads to a device's readings, newest first or
-- oldest first; what lies in an hour is found by a summary of blocks, which costs next to nothing because readings come in the order of time.
ALTER TABLE reading DROP CONSTRAINT reading_pkey;
DROP INDEX reading_by_device;
ALTER TABLE reading ADD PRIMARY KEY (device_id, at);
CREATE INDEX reading_at ON reading USING brin (at) WITH (pages_per_range = 16, autosummarize = on);
COMMENT ON COLUMN reading.quality IS '0 measured, 1 estimated by the device, 2 stale (an older value told again), 3 invalid (a value was out of range or of the wrong type: see rejected)';
