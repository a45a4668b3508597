-- When an account was here last, and its latest absence: the home page shows what changed meanwhile.
CREATE TABLE account_activity (
  account_id     bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  last_active_at timestamptz NOT NULL,
  -- null: it was never away.
  left_at        timestamptz,
  back_at        timestamptz,
  CHECK ((left_at IS NULL) = (back_at IS NULL))
);
INSERT INTO account_activity (account_id, last_active_at)
SELECT account_id, max(last_active_at) FROM session WHERE preview_by IS NULL GROUP BY account_id;
