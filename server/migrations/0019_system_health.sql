-- The processes of the server, each told of by itself every few seconds; a row that is not renewed belongs to one that was killed.
CREATE TABLE server_process (
  id text PRIMARY KEY,
  -- Machine and port: a process that starts there follows the one that was there.
  name text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Memory, processor, readings, waiting messages, connections, jobs … as its own counters say.
  figures jsonb NOT NULL
);

-- When a subject of the system's health was last found in another state than before; the newest row of each says how it is and since when.
CREATE TABLE health_change (
  subject text NOT NULL,
  at timestamptz NOT NULL,
  state text NOT NULL CHECK (state IN ('well', 'degraded', 'failing', 'unknown')),
  PRIMARY KEY (subject, at)
);

-- A few figures of every minute, for the curves of the last hour.
CREATE TABLE health_sample (
  at timestamptz PRIMARY KEY,
  figures jsonb NOT NULL
);
