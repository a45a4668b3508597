-- What was asked for by a request id, ends of exceptions that a second person decides about, and counts of lamps that lists read without the lamps.

ALTER TABLE publication
  -- A hash of each field of the request: sent again with another content it is refused.
  ADD COLUMN request jsonb,
  -- {area: {state: lamps}}, kept when it ended and no lamp of it is watched; null: the lamps are counted.
  ADD COLUMN counts  jsonb;
CREATE INDEX publication_uncounted ON publication (id) WHERE counts IS NULL AND ended_at IS NOT NULL;
-- A publication of which a lamp is watched, or may still report, is counted from its lamps.
CREATE INDEX publication_item_watched ON publication_item (publication_id) WHERE look_at IS NOT NULL OR state = 'told';
-- What waited for a second person.
CREATE INDEX publication_approval ON publication (id) WHERE approval IS NOT NULL;

ALTER TABLE plan_exception
  ADD COLUMN request jsonb,
  -- {area: {total, cannot}} of the lamps as they were when it was made.
  ADD COLUMN counts  jsonb,
  -- An end before its time that a second person has to agree to: who asked when and why, and what came of it.
  ADD COLUMN ending      jsonb,
  -- Who ended it before its time, and how many lamps were darker by it.
  ADD COLUMN ended_by    bigint,
  ADD COLUMN end_darkens integer NOT NULL DEFAULT 0;
CREATE INDEX plan_exception_approval ON plan_exception (id) WHERE approval IS NOT NULL OR ending IS NOT NULL;
-- What an account darkened in the last minutes by ending exceptions.
CREATE INDEX plan_exception_end_darkened ON plan_exception (ended_by, ended_at) WHERE end_darkens > 0;
UPDATE plan_exception e SET counts = (SELECT coalesce(jsonb_object_agg(area, part), '{}') FROM (
  SELECT d.work_area_id AS area, jsonb_build_object('total', count(*), 'cannot', count(i.cannot)) AS part
  FROM plan_exception_item i JOIN device d ON d.id = i.device_id WHERE i.exception_id = e.id GROUP BY 1) a);
