import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createTestContext } from '../../../../../test/create-test-context.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { siteOfHost } from '../../../../lib/host-site.ts';
import { isOfSites } from './hosts-of-sites.sql.ts';

const databases = useOneDatabase();
const hosts = [
  ...['example.com', 'a.b.example.com', 'notexample.com', 'co.uk', 'a.co.uk', 'b.a.co.uk'],
  ...['github.io', 'night.github.io', 'a.night.github.io', 'localhost', 'a.localhost'],
  ...['a.xn--bcher-kva.example', 'xn--bcher-kva.example', 'night.xn--55qx5d.cn'],
  ...['203.0.113.7', '203.0.113.70', '[::ffff:cb00:7107]', '[2001:db8:1:2::3]'],
  ...['[2001:db8:1:ffff::3]', '[2001:db8:2::3]', '[2001:db8:1::]', '[::1]'],
];

it('the database finds the same hosts of a registered domain or network as the program', async () => {
  await using test = await createTestContext({}, { databases });
  for (const site of new Set(hosts.map(siteOfHost))) {
    const { rows } = await sql<{ host: string }>`
      select host from unnest(${hosts}::text[]) as hosts (host)
      where ${isOfSites(['example.org', site, '203.0.113.99'])}`.execute(test.ctx.db);
    const found = rows.map(({ host }) => host);
    expect([site, found]).toEqual([site, hosts.filter((host) => siteOfHost(host) === site)]);
  }
});
