-- Workers claim pings before they send them. docs/decisions/0094 explains the queue.

alter table site_pings
  -- Of the worker that is sending, and until when nobody else may. Its due_at is that of what
  -- changed meanwhile. A claim that ends this way makes the ping due again.
  add column claim uuid,
  add column claimed_until timestamptz(3),
  add check ((claim is null) = (claimed_until is null));

-- Sites that failed have a queue of their own, so that they delay no others.
drop index site_pings_due;
create index site_pings_due on site_pings (due_at) where due_at is not null and failures = 0;
create index site_pings_to_retry on site_pings (due_at) where due_at is not null and failures > 0;
create index site_pings_claimed on site_pings (claimed_until) where claimed_until is not null;
