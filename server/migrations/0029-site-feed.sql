-- A show that ends is forgotten (its row deleted), and a scan walks along publications.
alter table site_podcasts
  drop column is_followed,
  drop column scanned_to,
  drop column scan_snapshot,
  drop column scan_as_of,
  -- While all episodes are compared, in pieces: the last one, by episodes_public. Then `snapshot`,
  -- `as_of` and `common_hash` are those of the beginning.
  add column scanned_time timestamptz(3),
  add column scanned_id uuid,
  add check ((scanned_time is null) = (scanned_id is null)),
  add check ((snapshot is null) = (as_of is null));

alter table sites
  -- Which server's transactions the snapshots of site_podcasts count; null: none was taken yet.
  add column history text,
  -- Positions that no site can have been given, unless a backup was restored since.
  add column lost_positions int8multirange not null default '{}';

-- Finds what a show that ends leaves, and what is not public any more.
drop index site_changes_of_podcast;
create index site_changes_of_podcast on site_changes (site_id, podcast_id, seq)
  where content_hash is not null or reason = 'unpublished';
