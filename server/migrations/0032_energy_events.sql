-- Steps of counters that were not simply consumption go by months, as the energy of hours they explain, and go with it (decision record 26).
ALTER TABLE energy_event RENAME TO energy_event_before;
ALTER TABLE energy_event_before RENAME CONSTRAINT energy_event_pkey TO energy_event_before_pkey;
ALTER INDEX energy_event_at RENAME TO energy_event_before_at;
CREATE TABLE energy_event (
  device_id bigint NOT NULL,
  -- The reading that made the step.
  at        timestamptz NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('invalid', 'reset', 'rollover')),
  from_at   timestamptz NOT NULL,
  from_kwh  double precision NOT NULL,
  to_kwh    double precision NOT NULL,
  -- The most that could be true.
  limit_kwh double precision,
  PRIMARY KEY (device_id, at)
) PARTITION BY RANGE (at);
CREATE INDEX energy_event_at ON energy_event (at);

-- A month each for what there is: that of every event, of every table of hours, and of the hours that are closed and not rolled yet.
DO $$
DECLARE
  month timestamp;
BEGIN
  FOR month IN
    SELECT date_trunc('month', at AT TIME ZONE 'UTC') FROM energy_event_before
    UNION SELECT to_timestamp(right(c.relname, 6), 'YYYYMM')::timestamp FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'energy_hour'::regclass AND c.relname ~ '^energy_hour_\d{6}$'
    UNION SELECT date_trunc('month', closed_to AT TIME ZONE 'UTC') FROM rollup_state WHERE isfinite(closed_to)
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF energy_event FOR VALUES FROM (%L) TO (%L)', 'energy_event_' || to_char(month, 'YYYYMM'),
      to_char(month, 'YYYY-MM-DD') || 'T00:00:00Z', to_char(month + interval '1 month', 'YYYY-MM-DD') || 'T00:00:00Z');
  END LOOP;
END $$;
INSERT INTO energy_event SELECT device_id, at, kind, from_at, from_kwh, to_kwh, limit_kwh FROM energy_event_before;
DROP TABLE energy_event_before;

-- Models whose curve of power is to be learned in this round, with the lamps that are looked at; chosen once a day, taken off a piece a turn. What failed comes last.
CREATE TABLE lamp_curve_due (
  manufacturer text NOT NULL,
  model        text NOT NULL,
  device_ids   bigint[] NOT NULL,
  tries        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (manufacturer, model)
);
CREATE INDEX lamp_curve_due_order ON lamp_curve_due (tries, manufacturer, model);
