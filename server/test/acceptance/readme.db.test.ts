import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSeedFile } from '../../src/domain/service/seeding/index.ts';
import { slugify } from '../../src/lib/slug.ts';
import { createTestApp } from '../create-test-app.ts';
import { makePodcast } from '../make.ts';

// SEED-9
it("the example of docs/seed-files.md can be loaded beside the README's show, and has audio", async () => {
  await using app = await createTestApp();
  const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
  const [, seedFile = ''] = /^```json\n(.*?)^```/ms.exec(read('docs/seed-files.md')) ?? [];
  // The show that the README creates with commands may exist already.
  const [, title = ''] = / podcast create .* --title "([^"]+)"/.exec(read('README.md')) ?? [];
  await makePodcast(app.ctx, { title, slug: slugify(title) ?? '' });
  const path = join(app.config.dataDir, 'seed.json');
  await writeFile(path, seedFile);
  const { downloads } = await loadSeedFile(app.ctx, app.geo, { path });
  expect(downloads).toMatchObject({ requests: 1, counted: 1 });
  const get = (url: string) => app.request({ method: 'GET', url });
  const { data } = (await get('/v1/podcasts/night-signals/episodes')).json();
  expect(data).toMatchObject([{ slug: 'one', audio: { duration_seconds: 30 } }]);
  const audio = await get(new URL(data[0].audio.url).pathname);
  expect(audio.headers['content-type']).toBe('audio/mpeg');
});
