-- works with: 0.1.0
-- contract: add index webhook_shows.webhook_shows_unfinished: one row for each show with webhooks
-- contract: add index webhook_episodes.webhook_episodes_stale: nearly no row is stale
-- Comparing all stale episodes of a show takes minutes if there are many, so it's done in parts.

-- Some of the show's stale episodes are yet to be compared, although the public can see the show.
alter table webhook_shows add column has_stale_episodes boolean not null default false;
create index webhook_shows_unfinished on webhook_shows (podcast_id) where has_stale_episodes;
create index webhook_episodes_stale on webhook_episodes (podcast_id, episode_id) where is_stale;
