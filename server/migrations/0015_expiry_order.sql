-- Lists in the order of two dates that came later (as in migration 14).
CREATE INDEX device_sort_warranty_until ON device (family, (props ->> 'warrantyUntil') COLLATE "C", id);
CREATE INDEX device_sort_sim_expiry ON device (family, (props ->> 'simExpiry') COLLATE "C", id) WHERE family IN ('central-controller', 'gateway');
