-- Downloads are counted in seconds of audio: no copy of ours is without what tells them from bytes.
-- Every version wrote both with a copy, so there is nothing to fill in.
alter table audio_files add constraint audio_files_copy_has_length
  check (blob_key is null or (duration_ms is not null and bitrate_bps is not null));
