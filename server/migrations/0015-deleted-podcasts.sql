-- A slug that was ever used is never given to another podcast, so it outlives its own.
alter table podcast_slugs
  alter column podcast_id drop not null,
  drop constraint podcast_slugs_podcast_id_fkey,
  add constraint podcast_slugs_podcast_id_fkey foreign key (podcast_id)
    references podcasts (id) on delete set null;

-- The imports of a podcast end with it: one under way loses its row, and stops.
alter table imports
  drop constraint imports_podcast_id_fkey,
  add constraint imports_podcast_id_fkey foreign key (podcast_id)
    references podcasts (id) on delete cascade;

-- The lists of all podcasts and all users, oldest first.
create index podcasts_in_order on podcasts (created_at, id);
create index users_in_order on users (created_at, id);
