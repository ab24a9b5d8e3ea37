-- The lowest position from which a page left out contents of the show, because its plan had lapsed
-- or its owner kept them back; null: none did. They get new numbers when they may be read again.
alter table site_podcasts add column withheld_after bigint;
