-- A user owns one account; plan and plan state hang on the account, not on the person.

create table accounts (
  id uuid primary key,
  plan text not null,
  plan_state text not null default 'active' check (plan_state in ('active', 'lapsed')),
  created_at timestamptz(3) not null
);

create table users (
  id uuid primary key,
  account_id uuid not null unique references accounts (id),
  email text not null check (length(email) between 3 and 254),
  name text not null check (length(name) between 1 and 200),
  password_hash text not null,
  -- The TERMS_VERSION this user agreed to last; null: none so far.
  accepted_terms text,
  created_at timestamptz(3) not null
);

-- Addresses differ by more than case; 'Ana@' and 'ana@' are one person.
create unique index users_email on users (lower(email));
