import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeTestFeed } from '../../../../test/hosts/podcast-host.ts';
import { type ImportFixture, openImportFixture } from '../../../../test/import-fixture.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { purgeImportsJob } from './purge-imports.job.ts';

const databases = useOneDatabase();
let fixture: ImportFixture;
beforeEach(async () => {
  fixture = await openImportFixture(databases);
});
afterEach(() => fixture[Symbol.asyncDispose]());

const dayMs = 24 * 3600 * 1000;

const purge = () =>
  purgeImportsJob.run(fixture.test.ctx, {}, { enqueue: async () => undefined } as never);

it('all reports except the newest of each show are deleted after 90 days', async () => {
  const { clock } = fixture.test;
  const guid = '<podcast:guid>917393e3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid>';
  const feed = writeTestFeed({
    channel: guid,
    items: [{ guid: '1', title: 'One', audio: 'https://cdn.example/1.mp3' }],
  });
  const run = (path: string) => {
    fixture.host.serve(path, feed);
    return fixture.run({ source: { url: `${fixture.host.url}${path}` }, copyAudio: false });
  };
  const ids = [];
  for (const path of ['/old.xml', '/feed.xml', '/feed.xml']) ids.push((await run(path)).importId);
  clock.advance(89 * dayMs);
  await purge();
  const left = async () =>
    (await fixture.rows<{ id: string }>('select id from imports order by created_at')).map(
      ({ id }) => id,
    );
  expect(await left()).toEqual(ids);
  clock.advance(2 * dayMs);
  await purge();
  expect(await left()).toEqual([ids[0], ids[2]]);
  await fixture.rows('delete from podcasts');
  await purge();
  expect(await left()).toEqual([]);
});
