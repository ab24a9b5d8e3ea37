-- Facts of a feed that are fields of ours, and the elements that we only pass on.
alter table podcasts
  add column itunes_block boolean not null default false,
  add column complete boolean not null default false,
  -- podcast:medium
  add column medium text not null default 'podcast',
  -- [{category, subcategory}]: all but the first, which has columns of its own.
  add column other_categories jsonb not null default '[]',
  -- [{url, text}]: all but the first, likewise.
  add column other_funding jsonb not null default '[]',
  -- [{name, attributes: [[name, value]], text, children}]: elements of the Podcasting 2.0
  -- namespace that are no field of ours.
  add column extra_elements jsonb not null default '[]';

alter table episodes
  -- Somebody gave the number. The feed and the pages show no other; the API shows every number.
  add column number_given boolean not null default false,
  add column itunes_block boolean not null default false,
  -- itunes:title, where it is not the title.
  add column itunes_title text,
  -- podcast:season name, podcast:episode display
  add column season_name text,
  add column episode_display text,
  add column guid_is_permalink boolean not null default false,
  add column extra_elements jsonb not null default '[]';
