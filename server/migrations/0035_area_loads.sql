-- What the lamps of a work area took at each quarter of an hour, and how many were lit and had reported: the curve of the home page adds these up instead
-- of going through the readings of a night.
CREATE TABLE area_load_step (
  at        timestamptz PRIMARY KEY,
  summed_at timestamptz NOT NULL,
  -- The hours it was summed from were closed (rollup_state): it changes no more, unless something came late.
  settled   boolean NOT NULL,
  due       boolean NOT NULL DEFAULT false
);
CREATE TABLE area_load (
  at           timestamptz NOT NULL REFERENCES area_load_step ON DELETE CASCADE,
  work_area_id bigint NOT NULL REFERENCES work_area ON DELETE CASCADE,
  watts        double precision NOT NULL,
  lit          integer NOT NULL,
  reporting    integer NOT NULL,
  PRIMARY KEY (at, work_area_id)
);
CREATE INDEX area_load_by_area ON area_load (work_area_id);
