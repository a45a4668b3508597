-- Nights of work areas: who will probably not light, asked before dusk, and who ran the plan, counted the morning after.
CREATE TABLE plan_night (
  work_area_id bigint NOT NULL REFERENCES work_area ON DELETE CASCADE,
  -- The lighting day: the day of the evening.
  day          date NOT NULL,
  -- The earliest planned switch-on of its lamps, as it was looked up last; null: none of them is lit.
  first_on     timestamptz,
  looked_at    timestamptz,
  -- skipped: there was no time for it, as the program was not running.
  rehearsal    text NOT NULL DEFAULT 'planned' CHECK (rehearsal IN ('planned', 'asking', 'asked', 'listing', 'listed', 'over', 'skipped')),
  -- The step under way is done with the devices up to this one.
  rehearsed_to bigint NOT NULL DEFAULT 0,
  -- The command that asks the lamps for a reading.
  command_id   bigint,
  asked_at     timestamptz,
  listed_at    timestamptz,
  -- Lamps that are to be lit; those of them that have no power before dusk, which nobody can ask.
  lit          integer NOT NULL DEFAULT 0,
  unasked      integer NOT NULL DEFAULT 0,
  report       text NOT NULL DEFAULT 'planned' CHECK (report IN ('planned', 'counting', 'done')),
  reported_to  bigint NOT NULL DEFAULT 0,
  reported_at  timestamptz,
  -- Lamps by outcome.
  counts       jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (work_area_id, day)
);
CREATE INDEX plan_night_day ON plan_night (day);

-- Lamps that will probably not light, and those that did not run their plan. What is counted only has no row.
CREATE TABLE plan_night_lamp (
  day          date NOT NULL,
  part         text NOT NULL CHECK (part IN ('rehearsal', 'report')),
  work_area_id bigint NOT NULL,
  device_id    bigint NOT NULL REFERENCES device ON DELETE CASCADE,
  outcome      text NOT NULL CHECK (outcome IN ('dark', 'diverged', 'away', 'silent', 'notJudged')),
  reason       text NOT NULL,
  -- Since when that is so, and what it is in detail: codes of faults, a hash, a command.
  since        timestamptz,
  detail       text,
  -- The first planned step that it did not do, in percent; of a rehearsal the one that it will not do.
  step_at      timestamptz,
  expected     real,
  observed     real,
  reading_at   timestamptz,
  -- Steps that it did otherwise.
  misses       integer NOT NULL DEFAULT 0,
  PRIMARY KEY (day, part, work_area_id, device_id),
  FOREIGN KEY (work_area_id, day) REFERENCES plan_night ON DELETE CASCADE
);
CREATE INDEX plan_night_lamp_night ON plan_night_lamp (work_area_id, day);
CREATE INDEX plan_night_lamp_device ON plan_night_lamp (device_id, day);

-- Lamps that the pattern of their row left dark all night, some hundred in a row of this table.
CREATE TABLE plan_night_dark (
  work_area_id bigint NOT NULL,
  day          date NOT NULL,
  -- They come after this device.
  after        bigint NOT NULL,
  lamps        bigint[] NOT NULL,
  PRIMARY KEY (work_area_id, day, after),
  FOREIGN KEY (work_area_id, day) REFERENCES plan_night ON DELETE CASCADE
);
CREATE INDEX plan_night_dark_day ON plan_night_dark (day, work_area_id);

-- Lamps that were found not to follow what they were told: the home page counts them.
CREATE INDEX publication_item_astray ON publication_item (device_id, publication_id) WHERE state IN ('diverged', 'cannot');

-- Jobs walk over the lamps of an area by their ids.
CREATE INDEX device_walk ON device (work_area_id, family, id);
