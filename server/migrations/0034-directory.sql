-- works with: 0.1.0
-- contract: add index podcasts.podcasts_in_directory: 100,000 rows at most
-- contract: add index podcasts.podcasts_in_directory_by_category: 100,000 rows at most
-- The public directory, docs/decisions/0066. Lists of all shows, or of those of one category, by their age.

create index podcasts_in_directory on podcasts (created_at, id)
  where status = 'active' and not itunes_block;
create index podcasts_in_directory_by_category on podcasts (category, created_at, id)
  where status = 'active' and not itunes_block;
