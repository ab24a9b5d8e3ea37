-- Which emails a user does not want. A user without a row wants all of them.
create table email_choices (
  user_id uuid primary key references users (id) on delete cascade,
  -- Ids of the list in code; an id that is there no more has no effect.
  unwanted text[] not null,
  updated_at timestamptz(3) not null
);
