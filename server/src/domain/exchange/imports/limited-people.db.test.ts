import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillPeople } from '../../../../test/fill-people.ts';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { peopleLimits } from '../../../lib/limits.ts';
import type { ImportReport } from './index.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const person = (name: string, attributes = '') =>
  `<podcast:person ${attributes}>${name}</podcast:person>`;

/** Runs a dry run and then the import, which must report the same. */
async function bringIn({ channel = '', xml = '' } = {}): Promise<ImportReport> {
  const date = '01 Jan 2020 10:00:00 GMT';
  const item = { guid: '1', title: 'Bees', date, audio: `${fixture.host.url}/1.mp3`, xml };
  const feed = writeTestFeed({ channel, items: [item] });
  fixture.host.serve('/feed.xml', feed, 'application/rss+xml');
  const planned = await fixture.run({ copyAudio: false, dryRun: true });
  const done = await fixture.run({ copyAudio: false });
  expect(planned.warnings).toEqual(done.warnings);
  return done;
}

const creditsOf = async () =>
  (
    await fixture.rows<{ name: string }>(
      `select name from episode_credits c join people p on p.id = c.person_id order by c.position`,
    )
  ).map(({ name }) => name);

/** Fills the imported show, and removes some of its people later. */
const fill = (report: ImportReport, numbers: Parameters<typeof fillPeople>[2]) =>
  fillPeople(fixture.test, report.podcast.id ?? '', numbers);
const remove = (name: string) => fixture.rows('delete from people where name = $1', [name]);

// LIM-15
describe('people who do not fit into a show', () => {
  it('people who do not fit into a show are named in the report, and come with a later import', async () => {
    await fill(await bringIn(), { known: peopleLimits.known - 1 });
    const guests = person('Ana') + person('Bo') + person('Cy') + person('Person 7');
    const report = await bringIn({ xml: guests });
    expect(report).toMatchObject({ updated: 1, problems: [], conflicts: [] });
    expect(report.warnings).toMatchObject([{ reason: 'people_full' }]);
    expect(report.warnings[0]?.message).toMatch('Left out: "Bo", "Cy".');
    expect(await creditsOf()).toEqual(['Ana', 'Person 7']);

    await remove('Person 1');
    const later = await bringIn({ xml: guests });
    expect(later).toMatchObject({ conflicts: [], warnings: [{ reason: 'people_full' }] });
    expect(await creditsOf()).toEqual(['Ana', 'Bo', 'Person 7']);
    await remove('Person 2');
    expect(await bringIn({ xml: guests })).toMatchObject({ conflicts: [], warnings: [] });
    expect(await creditsOf()).toEqual(['Ana', 'Bo', 'Cy', 'Person 7']);
  });

  it('people who do not fit into a show are left off its roster', async () => {
    const { roster } = peopleLimits;
    await fill(await bringIn(), { known: roster + 1, roster });
    const channel = person('Ana') + person(`Person ${roster + 1}`) + person('Person 1');
    const report = await bringIn({ channel, xml: person('Bo') });
    expect(report.warnings).toMatchObject([{ reason: 'roster_full' }]);
    expect(report.warnings[0]?.message).toMatch(`Left out: "Ana", "Person ${roster + 1}".`);
    expect(await fixture.rows('select from people where roster')).toHaveLength(roster);
    expect(await creditsOf()).toEqual(['Bo']);
  });

  it('people who do not fit into a show keep their credits if only their links do not fit', async () => {
    const bioBytes = peopleLimits.textBytes / 100 - 40;
    await fill(await bringIn(), { known: 100, bioBytes });
    await fixture.rows("update people set link_url = null where name = 'Person 1'");
    const href = `href="https://a.example/${'l'.repeat(1_990)}"`;
    const report = await bringIn({ xml: person('Person 1', href) + person('Ana', href) });
    expect(report.warnings).toMatchObject([{ reason: 'people_texts_full' }]);
    expect(report.warnings[0]?.message).toMatch('Left out: "Person 1", "Ana".');
    expect(await creditsOf()).toEqual(['Person 1']);
  });

  it('people who do not fit into a show bring no photos', async () => {
    await fill(await bringIn(), { known: peopleLimits.known });
    await bringIn({ xml: person('Ana', `img="${fixture.host.url}/ana.png"`) });
    expect(await fixture.rows('select from images')).toEqual([]);
  });
});
