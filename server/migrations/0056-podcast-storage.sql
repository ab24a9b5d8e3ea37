-- The bytes of stored files that rows of a podcast name: audio with proposed replacements, and pictures as
-- they were sent. Their smaller versions don't count. Kept by triggers, because rows also end by cascades,
-- and a verb can't forget one. docs/decisions/0143.
create table podcast_storage (
  podcast_id uuid primary key references podcasts (id) on delete cascade,
  audio_bytes bigint not null check (audio_bytes >= 0),
  image_bytes bigint not null check (image_bytes >= 0)
) with (fillfactor = 70);

create function change_podcast_storage(podcast uuid, audio bigint, images bigint)
returns void language plpgsql as $$
begin
  -- A podcast that is being deleted takes its row along.
  if (audio = 0 and images = 0) or not exists (select from podcasts where id = podcast) then
    return;
  end if;
  update podcast_storage
  set audio_bytes = audio_bytes + audio, image_bytes = image_bytes + images
  where podcast_id = podcast;
  if found or audio + images < 0 then return; end if;
  insert into podcast_storage as kept (podcast_id, audio_bytes, image_bytes)
  values (podcast, audio, images)
  on conflict (podcast_id) do update set audio_bytes = kept.audio_bytes + audio,
    image_bytes = kept.image_bytes + images;
end
$$;

-- Of audio_files and audio_replacements. Those that end with their episode are taken off before it.
create function note_stored_audio() returns trigger language plpgsql as $$
declare
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' and old.blob_key is not null then
    bytes := bytes - coalesce(old.size_bytes, 0);
  end if;
  if tg_op <> 'DELETE' and new.blob_key is not null then
    bytes := bytes + coalesce(new.size_bytes, 0);
  end if;
  perform change_podcast_storage(e.podcast_id, bytes, 0) from episodes e
  where bytes <> 0 and e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$$;

create function note_ending_episode() returns trigger language plpgsql as $$
begin
  perform change_podcast_storage(old.podcast_id, -bytes, 0)
  from (select coalesce(sum(size_bytes), 0)::bigint as bytes from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files) stored;
  return old;
end
$$;

create function note_stored_image() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform change_podcast_storage(old.podcast_id, 0, -old.size_bytes::bigint);
  end if;
  if tg_op <> 'DELETE' then
    perform change_podcast_storage(new.podcast_id, 0, new.size_bytes::bigint);
  end if;
  return null;
end
$$;

insert into podcast_storage (podcast_id, audio_bytes, image_bytes)
select podcast_id, sum(audio)::bigint, sum(images)::bigint from (
  select e.podcast_id, a.size_bytes as audio, 0 as images
  from audio_files a join episodes e on e.id = a.episode_id
  where a.blob_key is not null and a.size_bytes is not null
  union all
  select e.podcast_id, r.size_bytes, 0 from audio_replacements r join episodes e on e.id = r.episode_id
  union all
  select podcast_id, 0, size_bytes from images
) stored group by podcast_id;

create trigger audio_stored after insert or delete or update of blob_key, size_bytes on audio_files
  for each row execute function note_stored_audio();
create trigger proposed_audio_stored after insert or delete on audio_replacements
  for each row execute function note_stored_audio();
create trigger episode_ends before delete on episodes
  for each row execute function note_ending_episode();
create trigger image_stored after insert or delete or update of size_bytes on images
  for each row execute function note_stored_image();

-- When the owner was told that the account's storage is nearly used up; null: it isn't, or nobody was.
alter table accounts add column told_storage_at timestamptz(3);
