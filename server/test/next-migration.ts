import rootPackage from '../../package.json' with { type: 'json' };

const tables = [
  ...['accounts', 'users', 'podcasts', 'episodes', 'audio_files', 'revisions', 'change_events'],
  ...['download_requests', 'download_listeners', 'episode_download_days'],
];

/** A migration of the next release, of what may be done at once. */
export const nextMigration = `-- works with: ${rootPackage.version}
-- contract: add index podcasts.podcasts_by_next_note: the tests have few shows
${tables
  .map((name) => `alter table ${name} add next_note text, add next_count int not null default 7;\n`)
  .join('')}create index podcasts_by_next_note on podcasts (next_note);
create table next_marks (
  podcast_id uuid primary key references podcasts on delete cascade,
  marked_at timestamptz not null default now()
);
`;
