-- works with: 0.1.0
-- What shows store without being counted: identities of imported episodes, and of deleted ones; URLs of the origin of
-- files; the other texts of a show; figures of platforms. They count as texts of their show. docs/decisions/0032.
-- contract: change function note_texts_in_podcast(): it only adds rows that the release before reads, too
-- contract: change function note_texts_of_podcast(): it only adds rows that the release before reads, too
-- contract: change function note_ending_episode(): it only adds rows that the release before reads, too
-- contract: change trigger podcasts.podcast_texts_stored: it only runs for more columns
-- contract: change trigger episodes.episode_texts_stored: it only runs for more columns
-- contract: add trigger audio_files.audio_source_stored: only notes its bytes in a table that the release before has
-- contract: add trigger images.image_source_stored: only notes its bytes in a table that the release before has
-- contract: add trigger deleted_episodes.deleted_episodes_stored: only notes their bytes in such a table
-- contract: add trigger deleted_episodes.deleted_episodes_removed: only notes their bytes in such a table
-- contract: add trigger platform_episodes.platform_episodes_stored: only notes their bytes in such a table
-- contract: add trigger platform_imports.platform_import_ends: only notes its bytes in such a table

-- The columns text_bytes stay as they are: another expression would rewrite their tables. `concat` ignores nulls.
create function counted_bytes(podcasts) returns bigint language sql stable as $$
  select $1.text_bytes::bigint + octet_length(concat($1.guid, $1.author, $1.other_categories, $1.copyright,
    $1.website_url, $1.owner_name, $1.owner_email, $1.funding_url, $1.funding_text, $1.new_feed_url,
    $1.enclosure_prefixes, $1.page_text, $1.imported))
$$;
-- GUID and key are also in an index each.
create function counted_bytes(episodes) returns bigint language sql stable as $$
  select $1.text_bytes::bigint + octet_length(concat($1.guid, $1.guid, $1.source_key, $1.source_key,
    $1.source_guid, $1.source_enclosure_url, $1.itunes_title, $1.season_name, $1.episode_display, $1.link_url,
    $1.imported))
$$;
create function counted_bytes(people) returns bigint language sql stable as 'select $1.text_bytes::bigint';
-- Its file counts as storage, but its row and URL may be larger than the file. The URL is also in an index.
create function counted_bytes(images) returns bigint language sql stable as $$
  select 500::bigint + 2 * coalesce(octet_length($1.source_url), 0)
$$;

-- A deleted episode leaves its row in content_changes until the podcast ends; these bytes of the episode stay.
create function change_bytes() returns bigint language sql immutable as 'select 200::bigint';
create function deleted_episode_bytes(guid text, source_key text) returns bigint language sql immutable as $$
  select 200::bigint + octet_length(guid) + coalesce(octet_length(source_key), 0)
$$;
create function platform_episode_bytes(title text, metrics jsonb) returns bigint language sql stable as $$
  select 100::bigint + octet_length(title) + octet_length(metrics::text)
$$;

create or replace function note_texts_of_podcast() returns trigger language plpgsql as $$
declare
  bytes bigint := counted_bytes(new);
begin
  if tg_op = 'UPDATE' then bytes := bytes - counted_bytes(old); end if;
  if bytes <> 0 then insert into podcast_texts (podcast_id, bytes) values (new.id, bytes); end if;
  return null;
end
$$;
create or replace trigger podcast_texts_stored
  after insert or update of text_bytes, guid, author, other_categories, copyright, website_url, owner_name,
    owner_email, funding_url, funding_text, new_feed_url, enclosure_prefixes, page_text, imported on podcasts
  for each row execute function note_texts_of_podcast();

-- For people, episodes and images. note_ending_episode subtracts episodes that end.
create or replace function note_texts_in_podcast() returns trigger language plpgsql as $$
declare
  bytes bigint := 0;
  podcast uuid;
begin
  -- `old` has no type in a trigger of inserts, and `new` none in one of deletions.
  if tg_op <> 'INSERT' then
    bytes := -counted_bytes(old);
    podcast := old.podcast_id;
  end if;
  if tg_op <> 'DELETE' then
    bytes := bytes + counted_bytes(new);
    podcast := new.podcast_id;
  end if;
  if bytes <> 0 then insert into podcast_texts (podcast_id, bytes) values (podcast, bytes); end if;
  return null;
end
$$;
create or replace trigger episode_texts_stored
  after insert or update of text_bytes, guid, source_key, source_guid, source_enclosure_url, itunes_title,
    season_name, episode_display, link_url, imported on episodes
  for each row execute function note_texts_in_podcast();
create trigger image_source_stored after insert or delete or update of source_url on images
  for each row execute function note_texts_in_podcast();

create function note_source_of_audio() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select e.podcast_id, added.bytes
  from episodes e, lateral (select
    case tg_op when 'DELETE' then 0 else coalesce(octet_length(new.source_url), 0) end
    - case tg_op when 'INSERT' then 0 else coalesce(octet_length(old.source_url), 0) end as bytes) added
  where e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end and added.bytes <> 0;
  return null;
end
$$;
create trigger audio_source_stored after insert or delete or update of source_url on audio_files
  for each row execute function note_source_of_audio();

-- Those that end with their podcast are not subtracted: its sums are gone already.
create function note_deleted_episodes() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select p.id, case tg_op when 'DELETE' then -1 else 1 end
    * sum(deleted_episode_bytes(changed.guid, changed.source_key))
  from changed join podcasts p on p.id = changed.podcast_id
  group by p.id;
  return null;
end
$$;
create trigger deleted_episodes_stored after insert on deleted_episodes
  referencing new table as changed for each statement execute function note_deleted_episodes();
create trigger deleted_episodes_removed after delete on deleted_episodes
  referencing old table as changed for each statement execute function note_deleted_episodes();

create function note_platform_episodes() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select i.podcast_id, sum(platform_episode_bytes(changed.title, changed.metrics))
  from changed join platform_imports i on i.id = changed.import_id
  group by i.podcast_id;
  return null;
end
$$;
create trigger platform_episodes_stored after insert on platform_episodes
  referencing new table as changed for each statement execute function note_platform_episodes();

-- Before its rows end by a cascade: afterwards nothing says to which podcast they belonged.
create function note_ending_platform_import() returns trigger language plpgsql as $$
begin
  insert into podcast_texts (podcast_id, bytes)
  select p.id, -sum(platform_episode_bytes(f.title, f.metrics))
  from podcasts p join platform_episodes f on f.import_id = old.id
  where p.id = old.podcast_id group by p.id;
  return old;
end
$$;
create trigger platform_import_ends before delete on platform_imports
  for each row execute function note_ending_platform_import();

create or replace function note_ending_episode() returns trigger language plpgsql as $$
begin
  -- Of a podcast that is deleted with its episodes, nothing is taken off: its sums are gone already.
  if not exists (select from podcasts where id = old.podcast_id) then return old; end if;
  perform change_podcast_storage(old.podcast_id, -coalesce(sum(size_bytes), 0)::bigint, 0) from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files;
  insert into podcast_texts (podcast_id, bytes)
  select old.podcast_id, change_bytes() - counted_bytes(old) - coalesce(sum(bytes), 0) from (
    select text_bytes as bytes from chapters where episode_id = old.id
    union all select text_bytes from transcripts where episode_id = old.id
    union all select text_bytes from further_transcripts where episode_id = old.id
    union all select octet_length(source_url) from audio_files where episode_id = old.id
    union all select credit_bytes() from episode_credits where episode_id = old.id) parts;
  return old;
end
$$;

-- What the triggers have noted of a podcast, if they have run for all its rows.
create function count_texts(podcast uuid) returns bigint language sql stable as $$
  select coalesce(sum(bytes), 0)::bigint from (
    select counted_bytes(p) as bytes from podcasts p where p.id = podcast
    union all select counted_bytes(e) from episodes e where e.podcast_id = podcast
    union all select counted_bytes(who) from people who where who.podcast_id = podcast
    union all select counted_bytes(i) from images i where i.podcast_id = podcast
    union all select deleted_episode_bytes(d.guid, d.source_key) from deleted_episodes d
      where d.podcast_id = podcast
    union all select change_bytes() from content_changes c
      where c.podcast_id = podcast and c.subject_id <> podcast
        and not exists (select from episodes e where e.id = c.subject_id)
    union all select platform_episode_bytes(f.title, f.metrics)
      from platform_imports i join platform_episodes f on f.import_id = i.id where i.podcast_id = podcast
    union all select part.bytes from episodes e cross join lateral (
      select text_bytes as bytes from chapters where episode_id = e.id
      union all select text_bytes from transcripts where episode_id = e.id
      union all select text_bytes from further_transcripts where episode_id = e.id
      union all select octet_length(source_url) from audio_files where episode_id = e.id
      union all select credit_bytes() from episode_credits where episode_id = e.id) part
      where e.podcast_id = podcast) rows
$$;

-- The podcasts whose sum is not yet that of their rows: a migration has changed what counts, or a backup was
-- restored. The job merge-text-sums counts them.
create table texts_to_count (
  podcast_id uuid primary key references podcasts (id) on delete cascade
);
insert into texts_to_count (podcast_id) select id from podcasts;
