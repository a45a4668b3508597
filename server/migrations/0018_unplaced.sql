-- The trees show, at every opening of their tops, what stands nowhere yet: of a register in order only a few rows, which nothing but an index
-- of their own finds among the others. They are read in the order of their codes.
CREATE INDEX device_unfed_poles ON device (equipment_code COLLATE natural_order, id) WHERE family = 'lamp-pole' AND loop_id IS NULL;
CREATE INDEX device_unplaced_poles ON device (equipment_code COLLATE natural_order, id) WHERE family = 'lamp-pole' AND road_id IS NULL;
CREATE INDEX device_unmounted ON device (family, equipment_code COLLATE natural_order, id) WHERE family <> 'lamp-pole' AND pole_id IS NULL;
CREATE INDEX device_unlinked_lamps ON device (equipment_code COLLATE natural_order, id) WHERE family = 'single-lamp-controller' AND parent_id IS NULL AND gateway_id IS NULL;
