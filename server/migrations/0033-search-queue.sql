-- works with: 0.1.0
-- Background work writes the words of all episodes. In a file of its own: the one before locks episodes.
insert into search_queue (episode_id) select id from episodes on conflict do nothing;
