-- Accounts take turns in the queues of work that takes minutes: whose last turn is the longest ago is
-- next. A row is kept when nothing waits, so that coming back is no advantage.
create table account_turns (
  account_id uuid not null references accounts (id) on delete cascade,
  queue text not null check (queue in ('waveforms', 'replacements')),
  -- Of all turns of all queues, the later the larger.
  turn bigserial not null,
  primary key (account_id, queue)
);

-- Whose audio it was when it was queued; null when nothing is to be drawn. Not a reference: it decides
-- the order only.
alter table waveforms add column account_id uuid;
update waveforms w set account_id = p.account_id
  from audio_files a
  join episodes e on e.id = a.episode_id
  join podcasts p on p.id = e.podcast_id
  where a.sha256 = w.sha256 and w.due_at is not null;
