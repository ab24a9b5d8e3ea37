-- When the operator last ended a suspension of the show: later than its account's suspension for
-- overage, it keeps that from taking the show off again.
alter table podcasts add column overage_released_at timestamptz(3);
