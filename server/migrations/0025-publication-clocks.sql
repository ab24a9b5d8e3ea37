-- works with: 0.1.0
-- Up to which time each consumer has handled publications. Publication writes nothing, so no change tells of it:
-- episodes_by_publication finds later ones. Replaces site_ping_clock, which the release before still moves: what
-- both handle makes pings due twice, which is harmless.
create table publication_clocks (
  -- Its name in change_consumers.
  consumer text primary key,
  published_until timestamptz(3) not null
);
insert into publication_clocks (consumer, published_until) select 'site-pings', published_until from site_ping_clock;
