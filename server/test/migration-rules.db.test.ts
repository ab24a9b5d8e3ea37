import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import rootPackage from '../../package.json' with { type: 'json' };
import { migrate } from '../src/platform/database/migrations/migrate.ts';
import {
  migrationsFolder,
  readMigrations,
} from '../src/platform/database/migrations/migration-files.ts';
import { findProblems, listRiskyChanges, readCatalog } from './migration-rules.ts';
import { nextMigration } from './next-migration.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The last migration of the first release. No earlier release has to work with these. */
const baseline = '0024-backups.sql';

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** The schema of pg-boss. Raise it only if the pg-boss of the last release works with the newer one. */
const queueSchema = 40;

/** What this would change; it is rolled back. */
async function tryChanges(sql: string): Promise<string[]> {
  const client = await database.connection.pool.connect();
  try {
    await client.query('begin');
    const before = await readCatalog(client);
    await client.query(sql);
    return listRiskyChanges(before, await readCatalog(client));
  } finally {
    await client.query('rollback');
    client.release();
  }
}

// RELEASE-9
describe('a migration after the first release', () => {
  it('each migration after the first release works with processes of the release before it', async () => {
    const files = await readMigrations(migrationsFolder);
    const before = files.findIndex(({ name }) => name === baseline) + 1;
    expect(before).toBe(24);
    const added = files.slice(before);
    if (added.length === 0) return;
    await using other = await createTestDatabase();
    const { pool } = other.connection;
    await pool.query('drop schema public cascade; create schema public');
    await migrate(other.connection, migrationsFolder, { first: before });
    const client = await pool.connect();
    const problems: string[] = [];
    for (const file of added) {
      const known = await readCatalog(client);
      await client.query(file.sql);
      const changes = listRiskyChanges(known, await readCatalog(client));
      const found = findProblems(file, changes, rootPackage.version);
      problems.push(...found.map((problem) => `${file.name}: ${problem}`));
    }
    client.release();
    expect(problems).toEqual([]);
  });

  it('the migration with which upgrades are tested works with the release before it', async () => {
    const changes = await tryChanges(nextMigration);
    const oldestRelease = rootPackage.version;
    const problems = findProblems({ sql: nextMigration, oldestRelease }, changes, oldestRelease);
    expect(problems).toEqual([]);
  });

  it.each([
    'create table tags (id uuid primary key, podcast_id uuid not null references podcasts on delete cascade, label text unique)',
    'create table tags (id int primary key); create table taggings (tag_id int references tags)',
    'alter table episodes add column mood text',
    `alter table episodes add column mood text not null default 'calm' check (mood in ('calm', 'loud'))`,
    'alter table episodes add column image2_id uuid references images on delete set null',
    'create function twice(n int) returns int language sql return n * 2',
    `create view shows as select id from podcasts`,
    'alter table images alter column width drop not null',
    `create table download_requests_day partition of download_requests for values from ('2001-01-01') to ('2001-01-02')`,
    `update podcasts set title = 'x'`,
  ])('a migration that adds something has no risk for the release before: %s', async (sql) => {
    expect(await tryChanges(sql)).toEqual([]);
  });

  it.each([
    ['drop table preview_links', ['drop table preview_links']],
    ['alter table preview_links rename to links', ['drop table preview_links']],
    ['alter table users drop column accepted_terms', ['drop column users.accepted_terms']],
    [
      'alter table users rename column accepted_terms to terms',
      ['drop column users.accepted_terms'],
    ],
    ['alter table episodes add column mood text not null', ['add column episodes.mood']],
    [
      'alter table users alter column language set not null',
      ['set not null column users.language'],
    ],
    [
      'alter table audio_replacements alter column blob_key type varchar(99)',
      ['change column audio_replacements.blob_key', 'rewrite table audio_replacements'],
    ],
    [
      'alter table users alter column created_at set default now()',
      ['change default of column users.created_at'],
    ],
    [
      `alter table podcasts add constraint short check (length(title) < 50)`,
      ['add constraint podcasts.short'],
    ],
    [
      'alter table podcast_directories add constraint one_link unique (url)',
      ['add constraint podcast_directories.one_link'],
    ],
    [
      'create table tags (podcast_id uuid references podcasts)',
      ['add constraint tags.tags_podcast_id_fkey'],
    ],
    ['create index by_url on podcast_directories (url)', ['add index podcast_directories.by_url']],
    [
      'create unique index by_url on podcast_directories (url)',
      ['add unique index podcast_directories.by_url'],
    ],
    [
      'alter table podcasts add column random double precision default random()',
      ['rewrite table podcasts'],
    ],
    [
      `alter table podcasts add column loud text generated always as (upper(title)) stored`,
      ['rewrite table podcasts'],
    ],
    [
      'create trigger loud after insert on users for each row execute function mark_episode_with_downloads()',
      ['add trigger users.loud'],
    ],
    [
      'drop trigger first_downloads on episode_download_totals',
      ['drop trigger episode_download_totals.first_downloads'],
    ],
    [
      'drop index download_requests_by_episode',
      ['drop index download_requests.download_requests_by_episode'],
    ],
    [
      'create or replace function byte_count(ranges int8multirange) returns bigint language sql return 0',
      ['change function byte_count(int8multirange)'],
    ],
  ] as const)(
    'a migration that changes something has risks for the release before: %s',
    async (sql, changes) => {
      expect(await tryChanges(sql)).toEqual(changes);
    },
  );
});

// RELEASE-9
it.each([
  ['', [], 'its first line'],
  ['-- works with: 0.3.0\n', [], 'there is no release 0.3.0 yet'],
  ['-- works with: 0.2.0\n', [], ''],
  ['-- works with: 0.2.0\n', ['drop table a'], 'drop table a: no line'],
  ['-- works with: 0.2.0\n-- contract: drop table a: unused since 0.2.0\n', ['drop table a'], ''],
  ['-- works with: 0.2.0\n-- contract: drop table a: unused since 0.1.9\n', ['drop table a'], ''],
  [
    '-- works with: 0.1.0\n-- contract: drop table a: unused since 0.2.0\n',
    ['drop table a'],
    "drop table a: 0.1.0 isn't ready for it",
  ],
  [
    '-- works with: 0.2.0\n-- contract: drop table a: nobody needs it\n',
    ['drop table a'],
    'drop table a: the reason',
  ],
  [
    '-- works with: 0.2.0\n-- contract: add index t.i: 10,000 rows at most\n',
    ['add index t.i'],
    '',
  ],
  [
    '-- works with: 0.2.0\n-- contract: drop table a: unused since 0.2.0\n',
    [],
    'it has no such change: drop table a',
  ],
])(
  'the notes %j for the changes %j are complete, or the first problem is said: %s',
  (sql, changes, problem) => {
    const oldestRelease = /with: (\S+)/.exec(sql)?.[1];
    const [first = ''] = findProblems({ sql, oldestRelease }, changes, '0.2.0');
    if (problem === '') expect(first).toBe('');
    else expect(first).toContain(problem);
  },
);

// RELEASE-9: pg-boss migrates its tables itself, when the first process of a release starts.
it('the job queue has tables with which the release before works', () => {
  const path = fileURLToPath(new URL('../package.json', import.meta.resolve('pg-boss')));
  const { pgboss } = JSON.parse(readFileSync(path, 'utf8'));
  expect(pgboss.schema).toBe(queueSchema);
});
