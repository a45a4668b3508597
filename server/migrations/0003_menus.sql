ALTER TABLE menu_entry
  -- Titles in the languages beside Chinese, by language tag: {"en-US": "Street lamps"}; `title` stays the Chinese one.
  ADD COLUMN titles jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(titles) = 'object'),
  -- The session that changed the entry last, and the version its changes began from: nobody meets a conflict with himself.
  ADD COLUMN changed_session bigint,
  ADD COLUMN changed_since integer;
