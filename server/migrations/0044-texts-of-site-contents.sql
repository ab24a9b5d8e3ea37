-- works with: 0.1.0
-- The long texts of an episode are stored once, however often something else in its content changes: a new roster of a
-- show stored those of all its episodes again. docs/decisions/0045.
-- contract: add index site_contents.site_contents_by_texts: no row has the column yet
alter table site_contents
  -- The content that has its texts, if they are long. It can't be deleted while a change names this one,
  -- which would be deleted with it.
  add column texts_hash text references site_contents (hash) on delete cascade;
-- Whether texts are in use.
create index site_contents_by_texts on site_contents (texts_hash) where texts_hash is not null;
