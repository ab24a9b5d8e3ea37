-- works with: 0.1.0
-- Finds the shows here that another one recommends by their GUIDs. docs/decisions/0071.
-- contract: add index podcasts.podcasts_by_guid: 100,000 shows are read in a moment
create index podcasts_by_guid on podcasts (guid);
