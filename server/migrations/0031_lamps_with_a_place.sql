-- A work area without coordinates lies in the middle of some of its lamps: found at once, also where very many of them have no place themselves.
CREATE INDEX device_with_place ON device (work_area_id) WHERE family = 'single-lamp-controller' AND latitude IS NOT NULL;
