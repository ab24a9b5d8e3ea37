-- Since when no row has referred to a stored file. A backup copies the database first and the files later,
-- so a file is deleted only a day after its last reference (docs/decisions/0030). `selectReleasedSince` finds
-- it by its key.
create table unreferenced_files (
  -- The first UUID of the file's key.
  id uuid primary key,
  since timestamptz(3) not null default now()
);

-- Triggers, because rows also end by cascades.
create function note_unreferenced_audio() returns trigger language plpgsql as $$
begin
  insert into unreferenced_files (id)
  select id::uuid
  from substring(old.blob_key from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}') as id
  where id is not null
  on conflict (id) do update set since = excluded.since;
  return null;
end
$$;
create trigger audio_deleted after delete on audio_files
  for each row when (old.blob_key is not null) execute function note_unreferenced_audio();
create trigger audio_replaced after update of blob_key on audio_files
  for each row when (old.blob_key is not null and old.blob_key is distinct from new.blob_key)
  execute function note_unreferenced_audio();
create trigger proposed_audio_deleted after delete on audio_replacements
  for each row execute function note_unreferenced_audio();

create function note_unreferenced_image() returns trigger language plpgsql as $$
begin
  insert into unreferenced_files (id) values (old.id)
  on conflict (id) do update set since = excluded.since;
  return null;
end
$$;
create trigger image_deleted after delete on images
  for each row execute function note_unreferenced_image();
