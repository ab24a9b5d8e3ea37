-- What each podcast stores. Kept by triggers, because rows also end by cascades, and a verb cannot forget
-- a trigger. docs/decisions/0032 explains the tables.

-- The bytes of stored files that rows of a podcast name: audio with proposed replacements, and pictures as
-- they were sent, without their smaller versions.
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

-- The files that an account has added, whether or not a row still names them: replaced and deleted files
-- are kept for backups for up to two days (0030). `sumWritten` adds them up; the job merge-text-sums deletes
-- them when they are older.
create table written_files (
  -- The first UUID of the file's key: proposed audio that becomes the episode's counts once.
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  bytes bigint not null,
  written_at timestamptz(3) not null default now()
);
create index written_files_of_account on written_files (account_id, written_at) include (bytes);
create index written_files_by_age on written_files (written_at);

create function note_written_file(podcast uuid, file text, size bigint) returns void language sql as $$
  insert into written_files (id, account_id, bytes)
  select key::uuid, p.account_id, size
  from podcasts p, substring(file from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}') as key
  where p.id = podcast and key is not null
  on conflict (id) do nothing
$$;

-- For audio_files and audio_replacements. note_ending_episode subtracts those that end with their episode.
create function note_stored_audio() returns trigger language plpgsql as $$
declare
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' and old.blob_key is not null then
    bytes := bytes - coalesce(old.size_bytes, 0);
  end if;
  if tg_op <> 'DELETE' and new.blob_key is not null then
    bytes := bytes + coalesce(new.size_bytes, 0);
    perform note_written_file(e.podcast_id, new.blob_key, new.size_bytes) from episodes e
    where e.id = new.episode_id;
  end if;
  perform change_podcast_storage(e.podcast_id, bytes, 0) from episodes e
  where bytes <> 0 and e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$$;
create trigger audio_stored after insert or delete or update of blob_key, size_bytes on audio_files
  for each row execute function note_stored_audio();
create trigger proposed_audio_stored after insert or delete on audio_replacements
  for each row execute function note_stored_audio();

create function note_stored_image() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform change_podcast_storage(old.podcast_id, 0, -old.size_bytes::bigint);
  end if;
  if tg_op <> 'DELETE' then
    perform change_podcast_storage(new.podcast_id, 0, new.size_bytes::bigint);
    perform note_written_file(new.podcast_id, new.id::text, new.size_bytes::bigint);
  end if;
  return null;
end
$$;
create trigger image_stored after insert or delete or update of size_bytes on images
  for each row execute function note_stored_image();

-- The bytes of what people write and import: show notes, descriptions, transcripts, chapters, bios. They do
-- not count as storage of the plan, but fill the same disk. One row for each change, so that two changes of a
-- podcast do not wait for each other, and one for the sum of earlier changes. A job adds them up. Without a
-- foreign key, because the texts of a podcast end after it; the job deletes the rows that remain.
create table podcast_texts (
  podcast_id uuid not null,
  bytes bigint not null,
  -- The transaction that made the change; null for a sum.
  made_by xid8 default pg_current_xact_id()
);
create index podcast_texts_of_podcast on podcast_texts (podcast_id) include (bytes);

create function note_texts_of_podcast() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes) values (new.id,
    new.text_bytes - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  return null;
end
$$;
create trigger podcast_texts_stored after insert or update of text_bytes on podcasts
  for each row execute function note_texts_of_podcast();

-- For people and episodes. note_ending_episode subtracts episodes that end.
create function note_texts_in_podcast() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes) values (
    case tg_op when 'DELETE' then old.podcast_id else new.podcast_id end,
    case tg_op when 'DELETE' then 0 else new.text_bytes end
      - case tg_op when 'INSERT' then 0 else old.text_bytes end);
  return null;
end
$$;
create trigger people_texts_stored after insert or delete or update of text_bytes on people
  for each row execute function note_texts_in_podcast();
create trigger episode_texts_stored after insert or update of text_bytes on episodes
  for each row execute function note_texts_in_podcast();

-- For chapters and transcripts. note_ending_episode subtracts those that end with their episode.
create function note_texts_of_episode() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select podcast_id, case tg_op when 'DELETE' then 0 else new.text_bytes end
    - case tg_op when 'INSERT' then 0 else old.text_bytes end
  from episodes where id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$$;
create trigger chapters_stored after insert or delete or update of text_bytes on chapters
  for each row execute function note_texts_of_episode();
create trigger transcript_stored after insert or delete or update of text_bytes on transcripts
  for each row execute function note_texts_of_episode();
create trigger further_transcript_stored
  after insert or delete or update of text_bytes on further_transcripts
  for each row execute function note_texts_of_episode();

-- A credit has hardly any text, but its row and its entries in three indexes fill the disk, and an episode
-- may have 200 credits. note_ending_episode subtracts those that end with their episode.
create function credit_bytes() returns bigint language sql immutable as 'select 200::bigint';

create function note_credits() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select e.podcast_id, case tg_op when 'DELETE' then -1 else 1 end * count(*) * credit_bytes()
  from changed join episodes e on e.id = changed.episode_id
  group by e.podcast_id;
  return null;
end
$$;
create trigger credits_stored after insert on episode_credits
  referencing new table as changed for each statement execute function note_credits();
create trigger credits_removed after delete on episode_credits
  referencing old table as changed for each statement execute function note_credits();

-- Before the episode's rows end by cascades: afterwards nothing says to which podcast they belonged.
create function note_ending_episode() returns trigger language plpgsql as $$
begin
  -- Of a podcast that is deleted with its episodes, nothing is taken off: its sums are gone already.
  if not exists (select from podcasts where id = old.podcast_id) then return old; end if;
  perform change_podcast_storage(old.podcast_id, -coalesce(sum(size_bytes), 0)::bigint, 0) from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files;
  insert into podcast_texts (podcast_id, bytes)
  select old.podcast_id, -old.text_bytes - coalesce(sum(text_bytes), 0) from (
    select text_bytes from chapters where episode_id = old.id
    union all select text_bytes from transcripts where episode_id = old.id
    union all select text_bytes from further_transcripts where episode_id = old.id
    union all select credit_bytes() from episode_credits where episode_id = old.id) parts;
  return old;
end
$$;
create trigger episode_ends before delete on episodes
  for each row execute function note_ending_episode();
