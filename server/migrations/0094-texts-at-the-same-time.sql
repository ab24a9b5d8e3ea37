-- Changes of texts that could not be added to the sum of their podcast at once, because another
-- transaction had changed it: two people who edit episodes of one show must not wait for each other. The
-- next change of the sum adds them.
create table podcast_text_changes (
  podcast_id uuid not null references podcasts (id) on delete cascade,
  bytes bigint not null
);
create index podcast_text_changes_of_podcast on podcast_text_changes (podcast_id);

create or replace function change_podcast_storage(podcast uuid, audio bigint, images bigint, texts bigint default 0)
returns void language plpgsql as $$
declare
  earlier bigint;
begin
  -- A podcast that is being deleted takes its row along.
  if (audio = 0 and images = 0 and texts = 0)
    or not exists (select from podcasts where id = podcast) then
    return;
  end if;
  if audio = 0 and images = 0 then
    perform from podcast_storage where podcast_id = podcast for no key update skip locked;
    if not found and exists (select from podcast_storage where podcast_id = podcast) then
      insert into podcast_text_changes (podcast_id, bytes) values (podcast, texts);
      return;
    end if;
  end if;
  -- Nobody else does this now: they would need the row.
  if texts <> 0 then
    with added as (delete from podcast_text_changes where podcast_id = podcast returning bytes)
    select coalesce(sum(bytes), 0) into earlier from added;
    texts := texts + earlier;
  end if;
  update podcast_storage set audio_bytes = audio_bytes + audio, image_bytes = image_bytes + images,
    text_bytes = text_bytes + texts
  where podcast_id = podcast;
  if found or audio + images + texts < 0 then return; end if;
  insert into podcast_storage as kept (podcast_id, audio_bytes, image_bytes, text_bytes)
  values (podcast, audio, images, texts)
  on conflict (podcast_id) do update set audio_bytes = kept.audio_bytes + audio,
    image_bytes = kept.image_bytes + images, text_bytes = kept.text_bytes + texts;
end
$$;
