-- works with: 0.1.0
-- Each picture that is deleted looks for the shows that name it. docs/decisions/0032.
-- contract: add index podcasts.podcasts_by_artwork: 100,000 shows are read in a moment
create index podcasts_by_artwork on podcasts (artwork_id) where artwork_id is not null;
