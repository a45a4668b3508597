-- Who alone does something at this moment: one process at a time holds a name, until the time of this database says otherwise.
CREATE TABLE lease (
  name text PRIMARY KEY,
  -- What every process calls itself; null: nobody holds it.
  holder text,
  -- Grows with every change of the holder: what is written under an older one is refused.
  token bigint NOT NULL DEFAULT 0,
  taken_at timestamptz,
  until timestamptz NOT NULL DEFAULT '-infinity',
  -- A part of a key: taking a lease then waits for the transactions that go on under it (FOR KEY SHARE), and renewing it does not.
  UNIQUE (name, token)
);
