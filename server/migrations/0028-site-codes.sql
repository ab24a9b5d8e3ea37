-- A code is dead when its user's password has changed since the approval.
delete from site_codes;
alter table site_codes
  -- SHA-256 of the user's password hash at the approval.
  add column password_tag bytea not null check (length(password_tag) = 32);
