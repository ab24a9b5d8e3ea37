-- works with: 0.1.0
-- A preview's link ends with the membership of whoever made it; null: the operator, or a release
-- before 0.2.0. docs/decisions/0026.
-- contract: add index preview_links.preview_links_of_member: a link for each previewed episode
alter table preview_links
  add column podcast_id uuid,
  add column created_by uuid,
  add constraint preview_links_member_fkey foreign key (podcast_id, created_by)
    references podcast_members (podcast_id, user_id) on delete cascade;
create index preview_links_of_member on preview_links (podcast_id, created_by);
