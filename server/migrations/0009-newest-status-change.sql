-- A page of a show's episodes says which change of status was the newest when the first one was read.
create index episodes_status_changed on episodes (podcast_id, status_changed_at);
