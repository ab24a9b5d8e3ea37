-- What the last revisions of each podcast and episode changed, for people who edit an older copy.
create table revisions (
  podcast_id uuid references podcasts on delete cascade,
  episode_id uuid references episodes on delete cascade,
  revision integer not null,
  -- Null: the operator or the service.
  user_id uuid references users on delete set null,
  -- Wire names, and `people`, `chapters`, `transcript`, `audio`, `artwork`, `status`.
  fields text[] not null,
  created_at timestamptz(3) not null,
  check (num_nonnulls(podcast_id, episode_id) = 1)
);
-- The changes since a revision, and the oldest ones to delete.
create unique index revisions_of_podcast on revisions (podcast_id, revision) where podcast_id is not null;
create unique index revisions_of_episode on revisions (episode_id, revision) where episode_id is not null;
-- The deletion of a user.
create index revisions_of_user on revisions (user_id) where user_id is not null;
