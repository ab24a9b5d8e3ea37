-- Receipts are found by their listener alone. An index of hashes takes a sixth of the time of the
-- former primary key, whose five columns were as long as half of the row. Writers hold the lock of
-- download_sums, so no receipt is stored twice. docs/decisions/0123 explains why.
create index download_listeners_by_listener on download_listeners using hash (listener);
