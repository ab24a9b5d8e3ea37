create table images (
  id uuid primary key,
  podcast_id uuid not null references podcasts (id) on delete cascade,
  content_type text not null check (content_type in ('image/jpeg', 'image/png')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  size_bytes bigint not null,
  -- Of the stored bytes, hex: a picture that many episodes use is stored once.
  sha256 text not null,
  -- The main color, for the pages of shows without a color of their own. Null: the picture has no color.
  color text check (color ~ '^#[0-9a-f]{6}$'),
  source_url text,
  created_at timestamptz(3) not null,
  unique (podcast_id, sha256)
);
create index images_by_source on images (podcast_id, source_url) where source_url is not null;

alter table podcasts
  add foreign key (artwork_id) references images (id) on delete set null;
