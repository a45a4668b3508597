-- Pages that shared an icon have one of their own: where the built-in entry still has the icon that it came with.
UPDATE menu_entry m SET icon = n.icon
FROM (VALUES
  ('organization-management', '/system/organization-management', 'layers', 'organisation'),
  ('system-storage', '/system/storage', 'layers', 'storage'),
  ('lamp-polls', '/lamp/polls', 'target', 'poll'),
  ('asset-imports', '/asset/imports', 'download', 'enter'),
  ('asset-work-areas', '/asset/work-areas', 'target', 'building'),
  ('asset-loops', '/asset/loops', 'plug', 'circuit'),
  ('asset-channels', '/asset/channels', 'plug', 'channel'),
  ('asset-connect', '/asset/connect', 'plug', 'link'),
  ('pole-manhole-covers', '/pole/manhole-covers', 'target', 'manhole')
) AS n (name, url, old, icon)
WHERE m.name = n.name AND m.url = n.url AND m.icon = n.old;
