-- Accounts: columns and indexes of the user management.
ALTER TABLE account ADD COLUMN nickname_key text GENERATED ALWAYS AS (lower(normalize(nickname, NFKC))) STORED;
-- Any level in order of ids, and the counts of a level.
CREATE INDEX account_by_level ON account (level, id);
CREATE INDEX account_by_nickname ON account (nickname_key, id);
CREATE INDEX account_by_created ON account (created_at, id);
CREATE INDEX account_by_updated ON account (updated_at, id);
CREATE INDEX account_by_last_login ON account (last_login_at, id);
-- Names and nicknames by any part of them.
CREATE INDEX account_name_parts ON account USING gin (name_key gin_trgm_ops);
CREATE INDEX account_nickname_parts ON account USING gin (nickname_key gin_trgm_ops);
