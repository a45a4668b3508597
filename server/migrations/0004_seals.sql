-- Sealed logs; previews; the rights counter; appearances by host name.

-- ---------------------------------------------------------------- sealed logs (docs/adr/0010)
-- `seal` is the SHA-256 over the seal before it and this row; `sealed_after` the id of the row sealed before it, 0 for the first.
ALTER TABLE login_log ADD COLUMN sealed_after bigint;
ALTER TABLE operation_log ADD COLUMN sealed_after bigint;

-- Where each chain begins (after the last row that was pruned) and where it ends now.
CREATE TABLE log_chain (
  log        text PRIMARY KEY CHECK (log IN ('login_log', 'operation_log')),
  start_id   bigint NOT NULL DEFAULT 0,
  start_seal bytea NOT NULL,
  head_id    bigint NOT NULL DEFAULT 0,
  head_seal  bytea NOT NULL,
  sealed_at  timestamptz
);
INSERT INTO log_chain (log, start_seal, head_seal)
SELECT name, seal, seal FROM (SELECT name, sha256(convert_to('lampyris ' || name || ' 1', 'UTF8')) AS seal FROM unnest(ARRAY['login_log', 'operation_log']) AS name) AS first;

-- Rows of the logs are only ever added. A row is sealed once; only prune_log takes rows away, sealed ones of at least 180 days.
CREATE FUNCTION keep_log_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.seal IS NULL AND NEW.sealed_after IS NULL THEN RETURN NEW; END IF;
  ELSIF TG_OP = 'UPDATE' THEN
    IF OLD.seal IS NULL AND NEW.seal IS NOT NULL AND NEW.sealed_after IS NOT NULL THEN
      OLD.seal := NEW.seal;
      OLD.sealed_after := NEW.sealed_after;
      IF NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    END IF;
  ELSIF TG_OP = 'DELETE' THEN
    IF current_setting('lampyris.pruning', true) = TG_TABLE_NAME AND OLD.seal IS NOT NULL AND OLD.at < now() - interval '180 days' THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'rows of % are only ever added (%)', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_rows BEFORE INSERT OR UPDATE OR DELETE ON login_log FOR EACH ROW EXECUTE FUNCTION keep_log_rows();
CREATE TRIGGER keep_rows BEFORE INSERT OR UPDATE OR DELETE ON operation_log FOR EACH ROW EXECUTE FUNCTION keep_log_rows();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON login_log FOR EACH STATEMENT EXECUTE FUNCTION keep_log_rows();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON operation_log FOR EACH STATEMENT EXECUTE FUNCTION keep_log_rows();

-- Takes away at most `most` rows from the beginning of a chain, all older than `before`, and moves its start to the last of them.
-- Returns how many. Only a beginning that is old as a whole goes: one younger row keeps everything after it.
CREATE FUNCTION prune_log(name text, before timestamptz, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  head bigint;
  ids bigint[];
  oldest timestamptz := least(before, now() - interval '180 days');
  last_seal bytea;
BEGIN
  SELECT c.head_id INTO STRICT head FROM log_chain c WHERE c.log = name FOR UPDATE;
  EXECUTE format(
    'SELECT array_agg(old.id ORDER BY old.id) FROM (SELECT l.id, bool_and(l.at < $1) OVER (ORDER BY l.id) AS all_old FROM (SELECT id, at FROM %I WHERE id <= $2 ORDER BY id LIMIT $3) AS l) AS old WHERE old.all_old', name)
    INTO ids USING oldest, head, most;
  IF ids IS NULL THEN RETURN 0; END IF;
  EXECUTE format('SELECT seal FROM %I WHERE id = $1', name) INTO STRICT last_seal USING ids[cardinality(ids)];
  PERFORM set_config('lampyris.pruning', name, true);
  EXECUTE format('DELETE FROM %I WHERE id = ANY($1)', name) USING ids;
  PERFORM set_config('lampyris.pruning', '', true);
  UPDATE log_chain SET start_id = ids[cardinality(ids)], start_seal = last_seal WHERE log = name;
  RETURN cardinality(ids);
END $$;

-- ---------------------------------------------------------------- previews
-- A session that looks through another account's eyes: whose, and out of which session it was begun; with that one it ends.
ALTER TABLE session ADD COLUMN preview_by bigint REFERENCES account ON DELETE CASCADE;
ALTER TABLE session ADD COLUMN preview_session_id bigint REFERENCES session ON DELETE CASCADE;
ALTER TABLE session ADD CHECK ((preview_by IS NULL) = (preview_session_id IS NULL));
CREATE INDEX session_previews ON session (preview_session_id) WHERE preview_session_id IS NOT NULL;
CREATE INDEX session_preview_by ON session (preview_by) WHERE preview_by IS NOT NULL;

-- ---------------------------------------------------------------- the rights counter
-- How often rights were changed: base plus one for every row. One row per transaction, so that no change waits for another; a job adds
-- rows to the base. Whoever reads the same number twice has seen the same rights.
CREATE TABLE rights_counter (base bigint NOT NULL);
INSERT INTO rights_counter (base) VALUES (1);
CREATE TABLE rights_change (transaction bigint PRIMARY KEY);
CREATE FUNCTION count_rights_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rights_change (transaction) VALUES (pg_current_xact_id()::text::bigint) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['account_role', 'role_menu', 'menu_entry', 'work_group', 'work_group_member', 'organisation', 'organisation_account', 'organisation_work_group'] LOOP
    EXECUTE format('CREATE TRIGGER count_rights AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION count_rights_change()', name);
  END LOOP;
END $$;

-- ---------------------------------------------------------------- appearances
-- 1 is the general one and always there; an empty name or title is the product's own, in the reader's language.
ALTER TABLE login_appearance ALTER COLUMN name DROP NOT NULL, ALTER COLUMN title DROP NOT NULL, ADD COLUMN version integer NOT NULL DEFAULT 1;
INSERT INTO login_appearance (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET host = NULL;
DELETE FROM login_appearance WHERE id <> 1 AND host IS NULL;
CREATE SEQUENCE login_appearance_id OWNED BY login_appearance.id START WITH 2;
SELECT setval('login_appearance_id', (SELECT max(id) + 1 FROM login_appearance), false);
ALTER TABLE login_appearance ALTER COLUMN id SET DEFAULT nextval('login_appearance_id');
ALTER TABLE login_appearance ADD CHECK ((host IS NULL) = (id = 1));
CREATE UNIQUE INDEX login_appearance_host ON login_appearance (lower(host));
CREATE UNIQUE INDEX login_appearance_company ON login_appearance (company) WHERE company;
