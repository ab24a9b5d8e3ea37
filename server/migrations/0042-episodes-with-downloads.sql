-- Whether an episode has downloads of all time. The list of episodes in analytics shows those that are
-- not published only if they have. docs/decisions/0124 explains why the database keeps it.
alter table episodes add column has_downloads boolean not null default false;

create function mark_episode_with_downloads() returns trigger language plpgsql as $$
begin
  update episodes set has_downloads = new.downloads > 0
  where id = new.episode_id and has_downloads <> (new.downloads > 0);
  return null;
end
$$;

-- At the commit: members edit episodes, and counting must not lock them for longer than a moment.
create constraint trigger first_downloads
  after insert on episode_download_totals deferrable initially deferred
  for each row when (new.downloads > 0) execute function mark_episode_with_downloads();
create constraint trigger first_or_no_downloads
  after update on episode_download_totals deferrable initially deferred
  for each row when ((old.downloads > 0) <> (new.downloads > 0))
  execute function mark_episode_with_downloads();

update episodes e set has_downloads = true
from episode_download_totals total where total.episode_id = e.id and total.downloads > 0;

-- The list of episodes in analytics: those with downloads, of each status but this one.
create index episodes_unpublished_with_downloads
  on episodes (podcast_id, status, listed_at desc, id desc)
  where has_downloads and status <> 'published';
