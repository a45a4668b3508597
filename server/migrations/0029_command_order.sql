-- What one device is told keeps its order, whoever tells it; what it does not answer is told again.
ALTER TABLE command_item
  -- A newer command took its place while somebody was sending it: nothing goes to its device until that is over.
  ADD in_hand boolean NOT NULL DEFAULT false,
  -- How often it was handed to the broker; counted from here on.
  ADD tries smallint NOT NULL DEFAULT 0;
-- Empty but for moments. A claim changes no column of it (nor of any other index): it finds room beside its row.
CREATE INDEX command_item_in_hand ON command_item (device_id) WHERE in_hand;
-- Grows with every message: a device that hears a lower number after a higher one hears something that was held up on its way.
CREATE SEQUENCE command_turn;
