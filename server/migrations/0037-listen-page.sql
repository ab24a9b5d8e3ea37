-- works with: 0.1.0
-- How a show's owner arranges its listen page. docs/decisions/0068.
alter table podcasts
  add column page_sections jsonb not null default '["about", "episodes", "people"]'
    check (jsonb_typeof(page_sections) = 'array' and jsonb_array_length(page_sections) <= 7),
  -- Sanitized HTML.
  add column page_text text check (length(page_text) <= 20000),
  add column page_theme text not null default 'auto' check (page_theme in ('auto', 'light', 'dark')),
  add column header_image_id uuid references images (id) on delete set null;
-- contract: add index podcasts.podcasts_by_header_image: it is empty at first, and 100,000 shows are read in a moment
create index podcasts_by_header_image on podcasts (header_image_id) where header_image_id is not null;
