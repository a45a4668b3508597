-- What became of commands that needed a second person: the page of approvals lists and filters by it, newest first.
-- `withdrawn`: called off before anybody decided. (pending and over its time, until a job writes that down: told as expired by the reader.)
ALTER TABLE command ADD approval_outcome text GENERATED ALWAYS AS (CASE
  WHEN approval IS NULL THEN NULL
  WHEN approval->>'approved' = 'true' THEN 'agreed'
  WHEN approval->>'approved' = 'false' THEN 'refused'
  WHEN phase = 'awaitingApproval' THEN 'pending'
  WHEN phase = 'lapsed' THEN 'expired'
  ELSE 'withdrawn' END) STORED;
-- Read from its end, whatever outcomes are asked for: most commands need nobody.
CREATE INDEX command_approval ON command (id, approval_outcome) WHERE approval_outcome IS NOT NULL;
