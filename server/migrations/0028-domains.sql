-- works with: 0.1.0
-- A show's own domain.
create table podcast_domains (
  podcast_id uuid primary key references podcasts on delete cascade,
  -- Lower-case punycode, without a port or a final dot.
  host text not null check (host ~ '^[a-z0-9.-]{3,243}$'),
  -- What the TXT record has to contain. Everybody can read it there, so it's no secret.
  token text not null,
  state text not null default 'waiting' check (state in ('waiting', 'verified', 'lost')),
  -- The name is no other show's: it's verified, or was less than seven days ago.
  held boolean not null default false,
  -- So many checks in a row have found something else.
  misses smallint not null default 0 check (misses >= 0),
  -- {txt, addresses} of the last check that got responses, when that began, and when the last of all began.
  found jsonb,
  checked_at timestamptz(3),
  tried_at timestamptz(3),
  -- At the last check, the name was another show's.
  taken boolean not null default false,
  lost_at timestamptz(3),
  created_at timestamptz(3) not null,
  check (held or state <> 'verified'),
  check (held or lost_at is not null or state <> 'lost')
);

-- A name is one show's. By it, `selectVerifiedDomains` lists all.
create unique index podcast_domains_held on podcast_domains (host) where held;
-- `selectDomainsToCheck`: those that wait longest.
create index podcast_domains_to_check on podcast_domains (tried_at nulls first, podcast_id);

alter table podcasts add column redirect_feed boolean not null default false;
