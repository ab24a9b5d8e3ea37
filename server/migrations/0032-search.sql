-- works with: 0.1.0
-- contract: add trigger episodes.episode_searched: only queues; processes of the release before read no such table
-- contract: add trigger transcripts.transcript_searched: only queues; processes of the release before read no such table
-- contract: add trigger podcasts.podcast_searched: only queues; processes of the release before read no such table
-- The search of a show's page. docs/decisions/0063 explains the tables, which are made from episodes and
-- transcripts, and are in no backup.

-- The words of episodes, whatever their status: a search joins episodes and transcripts for what is public.
-- No foreign key: it would lock the episode while background work writes, and a delete waits for that work.
create table search_texts (
  episode_id uuid not null,
  podcast_id uuid not null,
  -- 1: title. 2: title, subtitle and show notes. 3: transcript. The first one that matches counts.
  part smallint not null check (part between 1 and 3),
  -- A long text has several, in its order.
  block integer not null,
  -- Of a transcript: the position of its first segment, and the position of each segment's first word.
  first_segment integer not null default 0,
  segment_starts integer[] not null default '{}',
  -- Words and their stems, each behind a prefix of its show, so that a search reads only its show's part of the
  -- index.
  words tsvector not null,
  primary key (episode_id, part, block)
);
-- Words hardly become smaller, and a search reads those of many blocks.
alter table search_texts alter column words set storage external;
-- All searches. Its list of pending entries is short, because each search reads it.
create index search_texts_words on search_texts using gin (words) with (gin_pending_list_limit = 256);

-- Episodes whose words are to be written. A search finds none of them until then: what it finds is never outdated.
create table search_queue (
  episode_id uuid primary key
);

-- Locks a row that exists, so that background work leaves it alone until this transaction has ended.
create function queue_for_search(episode uuid) returns void language sql as $$
  insert into search_queue (episode_id) values (episode)
  on conflict (episode_id) do update set episode_id = excluded.episode_id
$$;

create function queue_episode_for_search() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform queue_for_search(old.id);
  elsif tg_op = 'INSERT' or (old.title, old.subtitle, old.description, old.show_notes)
      is distinct from (new.title, new.subtitle, new.description, new.show_notes) then
    perform queue_for_search(new.id);
  end if;
  return null;
end $$;
create trigger episode_searched
  after insert or delete or update of title, subtitle, description, show_notes on episodes
  for each row execute function queue_episode_for_search();

create function queue_transcript_for_search() returns trigger language plpgsql as $$
begin
  perform queue_for_search(case when tg_op = 'DELETE' then old.episode_id else new.episode_id end);
  return null;
end $$;
create trigger transcript_searched after insert or delete or update on transcripts
  for each row execute function queue_transcript_for_search();

-- Stems depend on the show's language. A row that exists is left alone: 100,000 locks, for words that are found
-- without stems, too.
create function queue_podcast_for_search() returns trigger language plpgsql as $$
begin
  if old.language is distinct from new.language then
    insert into search_queue (episode_id) select id from episodes where podcast_id = new.id order by id
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger podcast_searched after update of language on podcasts
  for each row execute function queue_podcast_for_search();
