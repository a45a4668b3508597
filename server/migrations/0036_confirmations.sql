-- A session knows when its own password was given last, and recognises a token that it replaced long ago.

ALTER TABLE session
  -- The sign-in with the password, or the last confirmation by it; null: begun without one (sign-in link, preview).
  ADD COLUMN confirmed_at timestamptz,
  -- SHA-256 of the 128 bits that all tokens of the session begin with. Null: begun before this column was there, until its next rotation.
  ADD COLUMN family_hash bytea;
CREATE UNIQUE INDEX session_family ON session (family_hash) WHERE family_hash IS NOT NULL;
-- What replaced a token, sealed with the token itself: whoever comes with it within 60 s gets the same one.
ALTER TABLE session_token ADD COLUMN successor bytea;
