-- A device has as many faults at once as it has: each is one open row of the log. What is shown of it, the worst, stays in device_state.
DROP INDEX fault_log_open;
CREATE UNIQUE INDEX fault_log_open ON fault_log (device_id, fault) WHERE ended_at IS NULL;
