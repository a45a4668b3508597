-- Saved views of lists: conditions and order under a name. A view is an address, never rows.
CREATE TABLE saved_view (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Who made it. null: the account was deleted, and colleagues go on with what it shared.
  account_id bigint REFERENCES account ON DELETE SET NULL,
  list       text NOT NULL,
  name       text NOT NULL,
  -- Filters by their name in the address.
  conditions jsonb NOT NULL,
  -- `field,asc` or `field,desc`; null: the list's own order.
  sort       text,
  shared     boolean NOT NULL DEFAULT false,
  position   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_view_name ON saved_view (account_id, list, name);
CREATE INDEX saved_view_shared ON saved_view (list) WHERE shared;

-- The view that a list begins with, for each account: its own, or one that is shared.
CREATE TABLE saved_view_start (
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  list       text NOT NULL,
  view_id    bigint NOT NULL REFERENCES saved_view ON DELETE CASCADE,
  PRIMARY KEY (account_id, list)
);
CREATE INDEX saved_view_start_view ON saved_view_start (view_id);
