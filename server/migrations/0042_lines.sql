-- Processes that hold connections of devices. One that does not say in time that it is there has lost them: its row goes, and with it its name in
-- device_address.
CREATE TABLE line_holder (
  process text PRIMARY KEY,
  until   timestamptz NOT NULL
);

-- Devices that come by a door of their own (TCP, …), by what they call themselves there. Devices behind the broker have no row: every process reaches them.
CREATE TABLE device_address (
  device_id bigint PRIMARY KEY REFERENCES device ON DELETE CASCADE,
  wire      text NOT NULL,
  address   text NOT NULL,
  -- The process that has the connection: it alone claims commands for the device. Null: the device is not connected.
  holder    text REFERENCES line_holder ON DELETE SET NULL,
  -- What the device is to do by itself, for when it comes; null: nothing is said.
  settings  jsonb,
  UNIQUE (wire, address)
);
CREATE INDEX device_address_by_holder ON device_address (holder) WHERE holder IS NOT NULL;

-- What devices say of their channels (connector, phase, head, loop, relay; 0: the device itself), and what no word of the catalogue fits, as it came.
-- Readings of channel 0 stand in `reading`: here is of them only what is unmapped.
CREATE TABLE channel_reading (
  device_id   bigint NOT NULL REFERENCES device ON DELETE CASCADE,
  channel     smallint NOT NULL,
  at          timestamptz NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('readings', 'hello', 'event', 'transaction')),
  received_at timestamptz NOT NULL,
  quality     smallint NOT NULL,
  values      jsonb NOT NULL,
  -- Codes and texts of the device by name; null: everything had a word.
  unmapped    jsonb,
  PRIMARY KEY (device_id, channel, at, kind)
);
-- The oldest are taken away with the days of `reading`.
CREATE INDEX channel_reading_by_time ON channel_reading USING brin (at);
