-- Uploads end with the membership of their sender: nobody else can use or cancel them, and they count as
-- storage of the show's owner. The sweep of unnamed files deletes their bytes.
delete from uploads u where not exists
  (select from podcast_members m where m.podcast_id = u.podcast_id and m.user_id = u.user_id);
alter table uploads add constraint uploads_of_member
  foreign key (podcast_id, user_id) references podcast_members (podcast_id, user_id) on delete cascade;
