-- When something was heard of a device that did not renew its latest values: late readings, answers to commands, its status, what it said for
-- the devices behind it. Written when it says more than received_at, and no oftener than a judge can tell the difference.
ALTER TABLE device_latest ADD COLUMN heard_at timestamptz;
