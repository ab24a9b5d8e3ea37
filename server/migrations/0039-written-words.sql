-- works with: 0.1.0
-- The words of titles and notes alone, which a search for frequent words reads before transcripts. docs/decisions/0063.
-- contract: add index search_texts.search_texts_written: background work alone writes, and waits for it
create index search_texts_written on search_texts using gin (words) with (gin_pending_list_limit = 256) where part < 3;
