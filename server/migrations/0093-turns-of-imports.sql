-- Imports take turns by account, too: first turns and later ones have places of their own.
-- docs/decisions/0184.
alter table account_turns drop constraint account_turns_queue_check;
alter table account_turns add check (
  queue in ('waveforms', 'replacements', 'first-imports', 'later-imports')
);
