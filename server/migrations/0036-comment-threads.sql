-- works with: 0.1.0
-- Replies to posts in the fediverse, which listen pages show as comments. A row is deleted a day after the
-- last time that somebody asked for it. docs/decisions/0067 explains why processes share them.
create table comment_threads (
  post_url text primary key check (length(post_url) <= 2000),
  -- The last time that a process asked the post's server, whatever came of it.
  asked_at timestamptz(3) not null,
  -- When the comments were read; null: never.
  read_at timestamptz(3),
  comments jsonb check (jsonb_typeof(comments) = 'array'),
  check ((read_at is null) = (comments is null))
);
-- For deleting old ones.
create index comment_threads_by_age on comment_threads (asked_at);
