-- Of these downloads, those that were counted when this service sent the audio, less those that a log of
-- a day that is over has named since. Null: unknown, because an earlier version counted them.
-- docs/decisions/0125 explains it.
alter table episode_download_days add column delivered bigint;
