-- The date an import brought for an episode that has not been published. It becomes published_at
-- when the episode is published; until then the episode has none.
alter table episodes add column intended_published_at timestamptz(3);
update episodes set intended_published_at = published_at, published_at = null
  where status = 'pending_confirmation' and published_at is not null;
alter table episodes add check (status <> 'pending_confirmation' or published_at is null);

-- {field: hash}: what the last import brought. A field whose value has another hash was changed
-- here since, and stays. Null: no import wrote this row, or none since this column exists.
alter table episodes add column imported jsonb;
alter table podcasts add column imported jsonb;

-- What an import would recognise a deleted episode by, so that it does not come back.
create table deleted_episodes (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  guid text not null,
  source_key text,
  source_enclosure_sha256 text,
  deleted_at timestamptz(3) not null,
  primary key (podcast_id, episode_id)
);

-- An import may be ordered before its feed was read: it has no documents and no podcast then.
alter table imports
  add column dry_run boolean not null default false,
  add column overwrite boolean not null default false,
  add column ignore_lock boolean not null default false,
  -- The slug asked for, and the show asked for, until the feed has been read.
  add column wanted_slug text,
  add column into_slug text,
  -- Why one has failed, for programs; `error` says it in words.
  add column error_reason text;
alter table imports drop constraint imports_state_check;
alter table imports add constraint imports_state_check
  check (state in ('running', 'finished', 'failed', 'cancelled'));
create index imports_of_owner_by_age on imports (owner_id, created_at desc, id desc);

-- Whom a locked feed belongs to: proved by a code sent to the address that the feed names.
create table feed_proofs (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  -- HMAC over the feed's address and its owner's: neither can be read from it.
  feed_tag bytea not null,
  -- HMAC over the code; null once it was given.
  code_hash bytea,
  tries integer not null default 0,
  expires_at timestamptz(3) not null,
  proved_at timestamptz(3),
  created_at timestamptz(3) not null,
  unique (user_id, feed_tag),
  check ((code_hash is null) = (proved_at is not null))
);
