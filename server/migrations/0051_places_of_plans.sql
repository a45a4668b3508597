-- Where a lamp stood when its plan was agreed to: records that are moved far from there move its night only with the next publication.
ALTER TABLE plan_assignment ADD COLUMN latitude double precision, ADD COLUMN longitude double precision;
-- As it was when the publication was made, and weighed.
ALTER TABLE publication_item ADD COLUMN latitude double precision, ADD COLUMN longitude double precision;

UPDATE plan_assignment x SET latitude = coalesce(d.latitude, p.latitude, a.latitude),
  longitude = coalesce(d.longitude, p.longitude, a.longitude)
FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
WHERE d.id = x.device_id AND x.withdrawn_at IS NULL;
UPDATE publication_item x SET latitude = coalesce(d.latitude, p.latitude, a.latitude),
  longitude = coalesce(d.longitude, p.longitude, a.longitude)
FROM device d JOIN work_area a ON a.id = d.work_area_id LEFT JOIN device p ON p.id = d.pole_id
WHERE d.id = x.device_id AND x.open AND x.state IN ('waiting', 'pending');

-- Its scheme's or template's code when the version was made: devices are told it, and a version never changes. Null: settings of lamps of their own, whose code nobody changes.
ALTER TABLE scheme_version ADD COLUMN code text;
ALTER TABLE template_version ADD COLUMN code text;
UPDATE scheme_version v SET code = s.code FROM scheme s WHERE s.id = v.scheme_id;
UPDATE template_version v SET code = t.code FROM work_parameter_template t WHERE t.id = v.template_id;
