import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readRules } from '../scripts/contract-rules.ts';
import { expiryChoicesDays } from '../src/domain/access/keys/index.ts';
import { getPlan, type Plan, planIds } from '../src/domain/foundation/accounts/index.ts';
import { episodeStatuses } from '../src/domain/foundation/enumerations.ts';
import redirectHosts from '../src/domain/foundation/provenance/redirect-hosts.json' with {
  type: 'json',
};
import { PUBLISHED_REDIRECTS } from '../src/domain/foundation/provenance/redirect-table.ts';
import { statusesAfter } from '../src/domain/publishing/episodes/episode.ts';
import { errorCatalogue } from '../src/http/http-errors.ts';
import { capabilities, givableRoles, grantableCapabilities } from '../src/lib/team-roles.ts';

/** What docs/contract lists and the code has as data is the same. */

const rules = readRules();
const textOf = (id: string) => rules.find((rule) => rule.id === id)?.text ?? '';
const namedIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const rowsOf = (page: string) =>
  readFileSync(new URL(`../../docs/contract/${page}`, import.meta.url), 'utf8').match(/^\|.*$/gm) ??
  [];

it('ACCT-2: the plans have their names, features and limits', () => {
  const yes = (has: boolean) => (has ? 'yes' : 'no');
  const limit = (most: number | undefined, unit = '') =>
    most === undefined ? 'no limit' : `${most.toLocaleString('en')}${unit}`;
  const row = (plan: Plan) => [
    `\`${plan.id}\` ${plan.name}`,
    yes(plan.api),
    plan.requestsPerMinute ?? '–',
    limit(plan.analyticsHistoryDays, ' days'),
    yes(plan.advancedAnalytics),
    yes(plan.engagementImports),
    limit(plan.monthlyDownloads),
    limit(plan.storageBytes && plan.storageBytes / 1_000_000_000, ' GB'),
  ];
  const [, , ...rows] = rowsOf('accounts.md');
  expect(rows).toEqual(planIds.map((id) => `| ${row(getPlan(id)).join(' | ')} |`));
});

it.each([
  ['ACCT-12', capabilities],
  [
    'ACCT-13',
    capabilities.filter((one) => !(givableRoles.admin as readonly string[]).includes(one)),
  ],
  ['ACCT-14', givableRoles.editor],
  ['ACCT-15', [...givableRoles.analyst, ...givableRoles.cohost]],
  ['ACCT-16', capabilities.filter((one) => !grantableCapabilities.includes(one))],
])('%s names the capabilities of the code', (id, expected) => {
  expect(namedIn(textOf(id)).sort()).toEqual([...expected].sort());
});

it('ERR-6 names all error codes', () => {
  const codes = namedIn(textOf('ERR-6')).filter((name) => name !== '/v1');
  expect(codes.sort()).toEqual(Object.keys(errorCatalogue).sort());
});

it('KEY-6 has the choices of an expiry', () => {
  expect(textOf('KEY-6').match(/\d+/g)).toEqual(expiryChoicesDays.map(String));
});

it('STATE-5: episodes change from one status to another as the table says', () => {
  const rows = rowsOf('publication.md')
    .map(namedIn)
    .filter(([from = '']) => (episodeStatuses as readonly string[]).includes(from))
    .map(([from = '', ...to]) => [from, to.sort()]);
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(episodeStatuses.map((from) => [from, [...statusesAfter(from)].sort()])),
  );
});

it('PRINT-8: the prefixes of redirects are those of the table, in its order', () => {
  const rows = rowsOf('provenance.md')
    .map(namedIn)
    .filter(([host]) => host !== undefined);
  expect(rows).toEqual(
    redirectHosts.map(({ host, paths }) => [
      host,
      ...paths.map((path) => path.replace('{format}', 'FORMAT').replace('{id}', 'ID')),
    ]),
  );
  expect(rows.map(([host]) => host)).toEqual([...PUBLISHED_REDIRECTS.keys()]);
});
