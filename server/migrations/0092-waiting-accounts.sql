-- The accounts with due work, and the first of it of each: a claim reads one row for each account instead
-- of sorting all that is due. `coalesce` finds work of no account, too. docs/decisions/0178.
create index waveforms_waiting
  on waveforms (coalesce(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at)
  where due_at is not null and attempts < 3;
drop index waveforms_due;

-- As in waveforms.
alter table audio_replacements add column account_id uuid;
update audio_replacements r set account_id = p.account_id
  from episodes e join podcasts p on p.id = e.podcast_id
  where e.id = r.episode_id and r.due_at is not null;
create index audio_replacements_waiting
  on audio_replacements (coalesce(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at)
  where due_at is not null;
drop index audio_replacements_due;
