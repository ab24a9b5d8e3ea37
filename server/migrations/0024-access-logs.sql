-- Access logs: how far each was read, and who follows which. docs/decisions/0087 explains the tables.

-- A log is known by its content, so that a renamed, compressed or grown one is the same.
create table download_logs (
  -- A keyed hash of its first line with a request; logs that begin with the same one are branches.
  head bytea not null,
  branch integer not null,
  -- What is in the sums: the uncompressed bytes from its beginning, with a keyed hash of them.
  read_bytes bigint not null,
  read_hash bytea not null,
  read_lines bigint not null,
  -- Lines of days whose secrets are destroyed share a secret with all logs begun on this day.
  begun_on date not null,
  read_at timestamptz not null,
  primary key (head, branch)
);

-- The logs that workers follow (ACCESS_LOG): one process each, which renews its hold.
create table followed_logs (
  -- Host and path.
  name text primary key,
  holder uuid,
  held_until timestamptz not null,
  -- When the file that was read last had changed: older ones hold nothing new.
  modified_at timestamptz
);
