-- works with: 0.1.0
-- An upload whose row ends by a cascade leaves its file behind until the sweep. Such a file counts as added by
-- the account, like other deleted files. docs/decisions/0032.
-- contract: add trigger uploads.upload_ended: only notes the file in tables that the release before has, too
-- contract: add trigger podcasts.podcast_ends: only notes the files in a table that the release before has, too

create function note_ended_upload() returns trigger language plpgsql as $$
begin
  insert into unreferenced_files (id) values (old.id)
  on conflict (id) do update set since = excluded.since;
  perform note_written_file(old.podcast_id, old.id::text, old.received_bytes);
  return null;
end
$$;
-- Only for cascades: whoever deletes a row itself has deleted the file before. The file of an upload that was
-- used is deleted at its use, and counts as that of the episode.
create trigger upload_ended after delete on uploads for each row
  when (pg_trigger_depth() > 0 and old.used_at is null and old.received_bytes > 0)
  execute function note_ended_upload();

-- Before the uploads end with their podcast: afterwards nothing says to which account they belonged.
create function note_uploads_of_ending_podcast() returns trigger language plpgsql as $$
begin
  perform note_written_file(old.id, id::text, received_bytes) from uploads
  where podcast_id = old.id and used_at is null and received_bytes > 0;
  return old;
end
$$;
create trigger podcast_ends before delete on podcasts
  for each row execute function note_uploads_of_ending_podcast();
