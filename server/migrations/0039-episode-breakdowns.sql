-- The breakdowns of an episode on a day are one document: a batch writes one row for each episode, not
-- one for each value. docs/decisions/0123 explains why.
create table episode_download_breakdowns (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  episode_id uuid not null,
  day date not null,
  -- Downloads by dimension and value: {"apps": {"AntennaPod": 12}, …}. None is 0.
  counts jsonb not null,
  primary key (episode_id, day)
) with (fillfactor = 70);
create index episode_download_breakdowns_by_podcast on episode_download_breakdowns (podcast_id);

insert into episode_download_breakdowns (podcast_id, episode_id, day, counts)
select podcast_id, episode_id, day, jsonb_object_agg(dimension, counts)
from (
  select podcast_id, episode_id, day, dimension, jsonb_object_agg(value, downloads) as counts
  from episode_download_dimensions
  where downloads <> 0
  group by podcast_id, episode_id, day, dimension
) as by_dimension
group by podcast_id, episode_id, day;

drop table episode_download_dimensions;
