import { afterAll, beforeAll, expect, it } from 'vitest';
import { countStatements } from '../../../../test/count-statements.ts';
import { createTestApp, type TestApp } from '../../../../test/create-test-app.ts';
import { createDomainRecords, servedAt } from '../../../../test/hosts/domain-records.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { checkDomain, setDomain } from '../../../domain/publishing/domains/index.ts';
import { updateEpisode } from '../../../domain/publishing/episodes/index.ts';
import { setTranscript } from '../../../domain/publishing/transcripts/index.ts';
import { LargeBuilds } from '../../limits/large-builds.ts';
import { findPageTranscript } from './transcript-section.ts';

// PAGE-27

const records = createDomainRecords();
let app: TestApp;
let episodeId: string;
const path = '/listen/signals/spoken';
const line = (i: number) => `Line ${i} says what the antenna heard in the dunes before dawn.`;

beforeAll(async () => {
  app = await createTestApp({}, { dns: records });
  episodeId = await makeSpoken('signals');
});
afterAll(() => app[Symbol.asyncDispose]());

async function makeSpoken(slug: string): Promise<string> {
  const show = await makePodcast(app.ctx, { slug, title: slug });
  const { id } = await makeEpisode(app.ctx, show, { slug: 'spoken', publishTranscript: true });
  await say(id, 200);
  if (slug === 'signals') return id;
  const { token } = await setDomain(app.ctx, show.id, 'pod.example');
  records.set('pod.example', { txt: token, addresses: [servedAt] });
  await checkDomain(app.ctx, show.id);
  await app.http.domains.settled();
  return id;
}

async function say(id: string, lines: number): Promise<void> {
  const segments = Array.from({ length: lines }, (_, i) => ({
    ...{ startMs: i * 5000, endMs: i * 5000 + 4900, speaker: '', text: line(i) },
  }));
  const facts = { language: 'en', hasTimes: true, wordCount: 1, durationMs: lines * 5000 };
  await setTranscript(app.ctx, id, { ...facts, segments });
}

const get = (url: string, headers: Record<string, string> = {}) =>
  app.request({ method: 'GET', url, headers });

it('the page has the beginning of a long transcript, and with ?transcript=all the whole', async () => {
  const [page, whole] = [await get(path), await get(`${path}?transcript=all`)];
  expect([page.statusCode, whole.statusCode]).toEqual([200, 200]);
  for (const { body } of [page, whole]) {
    expect(body).toContain(line(0));
    expect(body).toContain(`<link rel="canonical" href="http://test.local${path}">`);
    expect(body).not.toContain('noindex');
  }
  expect(page.body).not.toContain(line(199));
  expect(page.body).toContain(`href="http://test.local${path}?transcript=all#rest"`);
  expect(whole.body).toContain(line(199));
  expect(whole.body).toContain(' id="rest"');
});

it('any other value is like none', async () => {
  const { body } = await get(path);
  for (const query of ['transcript=', 'transcript=none', 'transcript=all&transcript=all', 'x=1']) {
    const other = await get(`${path}?${query}`);
    expect(other.statusCode, query).toBe(200);
    expect(other.body, query).toBe(body);
  }
});

it('both forms are cached apart, until the transcript changes', async () => {
  const forms = [path, `${path}?transcript=all`];
  const before = await Promise.all(forms.map((url) => get(url)));
  const [etag, otherEtag] = before.map(({ headers }) => String(headers.etag));
  expect(etag).not.toBe(otherEtag);
  for (const [i, url] of forms.entries()) {
    const known = { 'if-none-match': String(before[i]?.headers.etag) };
    expect((await get(url, known)).statusCode, url).toBe(304);
    expect(before[i]?.headers['cache-control']).toBe('public, max-age=60');
  }
  await say(episodeId, 20);
  const after = await Promise.all(forms.map((url) => get(url)));
  expect(after[0]?.body).toContain(line(19));
  expect(after[0]?.body).not.toContain('transcript=all');
  expect(after[1]?.body).toBe(after[0]?.body);
  await say(episodeId, 200);
  await updateEpisode(app.ctx, episodeId, { publishTranscript: false });
  for (const url of forms) expect((await get(url)).body, url).not.toContain(line(0));
  await updateEpisode(app.ctx, episodeId, { publishTranscript: true });
});

it('the beginning takes no more statements than the whole', async () => {
  const count = async (part: 'beginning' | 'all') => {
    const counted = countStatements(app.ctx);
    using build = new LargeBuilds().begin('signals', new AbortController().signal);
    await findPageTranscript(counted.ctx, build, episodeId, part);
    return counted.count();
  };
  expect(await count('all')).toBe(2);
  expect(await count('beginning')).toBe(2);
});

it('a show at its own domain has both forms there', async () => {
  await makeSpoken('moved');
  const host = { host: 'pod.example' };
  const page = await get('/spoken', host);
  expect(page.body).toContain('pod.example/spoken?transcript=all#rest"');
  expect(page.body).not.toContain(line(199));
  expect((await get('/spoken?transcript=all', host)).body).toContain(line(199));
  const elsewhere = await get('/listen/moved/spoken?transcript=all');
  expect(elsewhere.headers.location).toMatch(/pod\.example\/spoken\?transcript=all$/);
});
