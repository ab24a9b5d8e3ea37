-- works with: 0.1.0
-- How many listeners of an episode have an address in one IPv6 /48. Their hashes are odd, and share the
-- upper half. docs/decisions/0037.
-- contract: add index download_listeners.download_listeners_by_site: meanwhile only counting waits, with its journal
create index download_listeners_by_site on download_listeners
  using hash (uuid_hash_extended(episode_id, address_hash >> 32)) where address_hash & 1 = 1;
