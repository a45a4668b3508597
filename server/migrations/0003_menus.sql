-- Titles of menu entries in the languages beside Chinese, by language tag: {"en-US": "Street lamps"}. `title` stays the Chinese one.
ALTER TABLE menu_entry ADD COLUMN titles jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(titles) = 'object');
