-- The list of episodes in analytics ends with those that were never published.
drop index episodes_unpublished_with_downloads;
create index episodes_unpublished_with_downloads
  on episodes (podcast_id, status, (published_at is not null), listed_at desc, id desc)
  where has_downloads and status <> 'published';
