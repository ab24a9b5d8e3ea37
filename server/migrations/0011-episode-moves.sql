-- How often an episode of the show has changed its place in the makers' list, and which of these
-- changes was an episode's last. A cursor of that list holds the first number: a page leaves out
-- what moved after the list's first page was read.
alter table podcasts add column episode_moves integer not null default 0;
alter table episodes add column last_move integer not null default 0;

drop index episodes_status_changed;
