import { describe, expect, it } from 'vitest';
import { episodeFields } from '../../../lib/fields/episode-fields.ts';
import type { FieldList } from '../../../lib/fields/field.ts';
import { podcastFields } from '../../../lib/fields/podcast-fields.ts';
import { maxChars } from '../../../lib/limits.ts';
import { wireName } from '../../../lib/wire-names.ts';
import { checkRowValues } from './check-row-values.ts';

const check = (table: string, column: string, type: string, value: string) =>
  checkRowValues(
    { name: table, columns: [column], rows: 1, digest: '' },
    new Map([[column, type]]),
    [value],
  );

const json = (value: unknown) => ['jsonb', JSON.stringify(value)] as const;
const chapters = (count: number, title: string) =>
  json(Array.from({ length: count }, (_, at) => ({ startMs: at, title })));

const taken: readonly [table: string, column: string, type: string, value: string][] = [
  ['episode_download_breakdowns', 'counts', ...json({ apps: { Overcast: 3 }, referrers: {} })],
  ['platform_imports', 'show_metrics', ...json({ plays: 5, followers: -2 })],
  ['platform_episodes', 'metrics', ...json({})],
  ['revisions', 'fields', 'text[]', '{title,show_notes}'],
  ['revisions', 'fields', 'text[]', '{}'],
  ['podcast_download_months', 'month', 'date', '2026-03-01'],
  ['podcast_download_days', 'day', 'date', '2026-03-15'],
  ['transcripts', 'language', 'text', 'zh-Hant'],
  ['transcript_segments', 'body', 'text', 'x'.repeat(10_000)],
  ['chapters', 'chapters', ...chapters(5_000, 'x'.repeat(700))],
  ['audio_files', 'source_url', 'text', `https://a.example/${'x'.repeat(4_078)}`],
  ['images', 'source_url', 'text', `http://a.example/${'é'.repeat(4_079)}`],
  ['people', 'bio', 'text', 'x'.repeat(maxChars.personBio)],
  ['episodes', 'published_at', 'timestamp with time zone', '0001-01-01 00:00:00+00'],
  ['episodes', 'scheduled_for', 'timestamp with time zone', '9999-12-31 23:59:59.999+00'],
  ['transcript_segments', 'end_ms', 'integer', String(2 ** 31 - 1)],
  ['audio_files', 'duration_ms', 'integer', String(2 ** 31 - 1)],
];

const refused: typeof taken = [
  ['episode_download_breakdowns', 'counts', ...json(null)],
  ['episode_download_breakdowns', 'counts', ...json([])],
  ['episode_download_breakdowns', 'counts', ...json({ apps: 5 })],
  ['episode_download_breakdowns', 'counts', ...json({ moods: { happy: 1 } })],
  ['episode_download_breakdowns', 'counts', ...json({ apps: { x: '5' } })],
  ['episode_download_breakdowns', 'counts', ...json({ apps: { x: -5 } })],
  ['episode_download_breakdowns', 'counts', ...json({ apps: { x: 1e18 } })],
  ['episode_download_breakdowns', 'counts', ...json({ apps: { ['x'.repeat(3_000)]: 1 } })],
  ['platform_imports', 'show_metrics', ...json({ plays: 'many' })],
  ['platform_episodes', 'metrics', ...json([])],
  ['revisions', 'fields', 'text[]', '{NULL}'],
  ['revisions', 'fields', 'text[]', '{{a},{b}}'],
  ['revisions', 'fields', 'text[]', '[5:6]={a,b}'],
  ['revisions', 'fields', 'text[]', `{${'x,'.repeat(10_000)}y}`],
  ['podcast_download_months', 'month', 'date', '2026-03-15'],
  ['podcast_download_days', 'day', 'date', '0110-05-17'],
  ['podcast_download_days', 'day', 'date', '2026-03-15 BC'],
  ['audio_files', 'source_url', 'text', 'javascript:alert(1)'],
  ['audio_files', 'source_url', 'text', 'https://'],
  ['audio_files', 'source_url', 'text', `https://a.example/${'x'.repeat(10_000)}`],
  ['episodes', 'link_url', 'text', `https://a.example/${'x'.repeat(4_078)}`],
  ['episodes', 'published_at', 'timestamp with time zone', '0044-03-15 12:00:00+00 BC'],
  ['episodes', 'published_at', 'timestamp with time zone', '10000-01-01 00:00:00+00'],
  ['episodes', 'published_at', 'timestamp with time zone', '-infinity'],
  ['episodes', 'revision', 'integer', String(2 ** 31 - 1)],
  ['podcast_download_dimensions', 'value', 'text', 'x'.repeat(3_000)],
  ['transcripts', 'language', 'text', '"><script>'],
  ['transcript_segments', 'body', 'text', 'x'.repeat(10_001)],
  ['transcript_segments', 'speaker', 'text', 'x'.repeat(10_001)],
  ['episodes', 'show_notes', 'text', 'x'.repeat(1_000_001)],
  ['episodes', 'imported', ...json({ title: 'x'.repeat(4_000_000) })],
  ['chapters', 'chapters', ...chapters(5_001, 'x')],
  ['chapters', 'chapters', ...chapters(1, 'x'.repeat(1_001))],
];

const named = (rows: typeof taken) =>
  rows.map((row) => [`${row[0]}.${row[1]}`, row[3].slice(0, 40), row] as const);

/** The longest text that people can enter in each field. */
const longest = (table: string, list: FieldList) =>
  Object.entries(list).flatMap(([name, field]): (typeof taken)[number][] =>
    'max' in field && field.kind !== 'number' && field.max !== undefined
      ? [[table, wireName(name), 'text', 'x'.repeat(field.max)]]
      : [],
  );
const entered = [...longest('podcasts', podcastFields), ...longest('episodes', episodeFields)];

// BACKUP-13
describe('checkRowValues', () => {
  it.each(entered.map((row) => [`${row[0]}.${row[1]}`, row[3].length, row] as const))(
    '%s may have %i characters, as in the form',
    (_column, _length, row) => {
      expect(() => check(...row)).not.toThrow();
    },
  );

  it.each(named(taken))('%s may be %s', (_column, _value, row) => {
    expect(() => check(...row)).not.toThrow();
  });

  it.each(named(refused))('%s is never %s', (_column, _value, row) => {
    expect(() => check(...row)).toThrow('that no installation writes');
  });
});
