-- Where a show is listed or has been submitted. A directory without a row is still to do.
create table podcast_directories (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  -- An id from the list in code.
  directory text not null,
  status text not null check (status in ('todo', 'submitted', 'listed')),
  -- The show's page in the directory, with https.
  url text,
  updated_at timestamptz(3) not null,
  primary key (podcast_id, directory),
  check (status <> 'todo' or url is not null)
);
