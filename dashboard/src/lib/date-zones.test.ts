import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/**
 * Dates of episodes are in the zone of their show, days of downloads in UTC. The reader's own zone is
 * for what only concerns them, and for when a task ran.
 */
type Zone = 'show' | 'UTC' | 'reader';

/** Each file that writes dates, with the zones that it uses. A new one is added here on purpose. */
const expected: Readonly<Record<string, readonly Zone[]>> = {
  'charts/save-picture.ts': ['UTC'],
  'components/overage-text.tsx': ['UTC'],
  'components/suspension-text.tsx': ['UTC'],
  'elements/element-value.tsx': ['reader'],
  'screens/episode/publishing.tsx': ['show'],
  'screens/episode/schedule-dialog.tsx': ['show', 'reader'],
  'screens/episode/sharing.tsx': ['show'],
  'screens/episodes/episode-table.tsx': ['show'],
  'screens/home/home.tsx': ['reader'],
  'screens/home/show-card.tsx': ['show', 'UTC'],
  'screens/imports/failed-import.tsx': ['reader'],
  'screens/imports/imports.tsx': ['reader'],
  'screens/new-show/new-show.tsx': ['reader'],
  'screens/settings/keys/key-card.tsx': ['reader'],
  'screens/settings/keys/new-secret.tsx': ['reader'],
  'screens/settings/plan.tsx': ['reader'],
  'screens/settings/sessions.tsx': ['reader'],
  'screens/settings/sites/new-site-key.tsx': ['reader'],
  'screens/settings/sites/one-site.tsx': ['reader'],
  'screens/settings/sites/site-posts.tsx': ['reader'],
  'screens/settings/sites/site-words.tsx': ['reader'],
  'screens/settings/sites/sites.tsx': ['reader'],
  'screens/show/domain/domain-state.tsx': ['reader'],
  'screens/show/feed-notifications.tsx': ['reader'],
  'screens/show/webhooks/deliveries.tsx': ['reader'],
  'screens/show/webhooks/one-webhook.tsx': ['reader'],
  'screens/show/webhooks/webhook-secret.tsx': ['reader'],
  'screens/show/webhooks/webhook-words.tsx': ['reader'],
  'screens/statistics/episode-statistics.tsx': ['UTC'],
  'screens/statistics/episode-table.tsx': ['show'],
  'screens/statistics/freshness.tsx': ['UTC', 'reader'],
  'screens/statistics/import-file.tsx': ['UTC', 'reader'],
  'screens/statistics/platforms.tsx': ['UTC', 'reader'],
  'screens/statistics/statistics.tsx': ['UTC'],
  'screens/statistics/totals.tsx': ['UTC'],
  'screens/statistics/typical-range.tsx': ['UTC'],
  'screens/statistics/use-series-model.ts': ['UTC'],
  'screens/team/handover.tsx': ['reader'],
  'screens/team/invitations.tsx': ['reader'],
  'shell/use-show.ts': ['reader'],
};

const patterns: Readonly<Record<Zone, RegExp>> = {
  show: /<Moment\b|\bformatDate(?:Time)?\((?:[^()]|\(\))+, zone\)/,
  UTC: /\bformat(?:(?:Short)?(?:Day|Month)|Days|Weekday)\(/,
  reader: /<LocalMoment\b|\breadersZone\(\)/,
};
const zones: readonly Zone[] = ['show', 'UTC', 'reader'];

const source = fileURLToPath(new URL('..', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: source })
  .filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${source}/${file}`, 'utf8') }));

/** They make the formats, and say which zone is the reader's. */
const formats = [
  'components/moment.tsx',
  'lib/format-days.ts',
  'lib/format.ts',
  'lib/formatters.ts',
  'lib/time-zone.ts',
  'lib/zones.ts',
];

it('every file that writes dates says in which zone they are', () => {
  const found = files
    .filter(({ file }) => !formats.includes(file))
    .map(({ file, text }) => [file, zones.filter((zone) => patterns[zone].test(text))] as const)
    .filter(([, used]) => used.length > 0);
  expect(Object.fromEntries(found)).toEqual(expected);
});

it('dates are formatted nowhere else, where their zone could be left out', () => {
  const formatting = /\bDateTimeFormat\(|\.toLocale(?:Date|Time)?String\(|\bdateFormat\(/;
  const found = files.filter(({ text }) => formatting.test(text)).map(({ file }) => file);
  expect(formats).toEqual(expect.arrayContaining(found));
});
