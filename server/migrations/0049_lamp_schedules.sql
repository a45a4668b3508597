-- Schedule settings (时间表设置): schemes of one programme that belong to the lamps they were set for, and stand in no list.

ALTER TABLE scheme ADD COLUMN schedule boolean NOT NULL DEFAULT false;
-- People choose no code for them, so one that people chose is never taken by one.
DROP INDEX scheme_code;
CREATE UNIQUE INDEX scheme_code ON scheme (coalesce(work_area_id, 0), lower(code)) WHERE NOT schedule;
