-- A family's list in the order of its codes, over all work areas: any page is read off the index.
CREATE INDEX device_order ON device (family, equipment_code COLLATE natural_order, id);
