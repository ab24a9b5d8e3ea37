-- works with: 0.1.0
-- contract: add index webhook_shows.webhook_shows_noted: one row for each show with webhooks
-- contract: add index webhook_deliveries.webhook_deliveries_with_response: only background work writes to it, and it waits
-- A consumer of changes only notes what is to be compared. Each show is compared later, in transactions of its own, so
-- one with very many episodes, or one that fails, holds up nothing else. docs/decisions/0061.
alter table webhook_shows
  -- The show itself is to be compared, and which of its episodes are public.
  add column has_changed boolean not null default false,
  add column has_publications boolean not null default false,
  -- Imports that have ended and that nobody was told of.
  add column imports integer not null default 0,
  -- Not before this.
  add column compare_at timestamp(3) with time zone;
-- Shows to compare.
create index webhook_shows_noted on webhook_shows (compare_at)
  where is_stale or has_stale_episodes or has_changed or has_publications or imports > 0;

-- The public can see its show again: what waits, and failed before, is due.
alter table webhooks add column is_woken boolean not null default false;

-- Which of a webhook's responses are the newest.
create index webhook_deliveries_with_response on webhook_deliveries (webhook_id, tried_at)
  where response is not null;
