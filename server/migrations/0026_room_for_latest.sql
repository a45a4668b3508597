-- Devices that speak together lie together, and all of them are renewed in one transaction: each page needs room for a second version of every
-- row it has. With 70 a third of the renewals went to other pages, each with an entry in the index; with 45 none (200,000 devices, a round).
ALTER TABLE device_latest SET (fillfactor = 45);
