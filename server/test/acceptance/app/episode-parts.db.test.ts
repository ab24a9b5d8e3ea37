import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import { attachExternalAudio, attachTone } from '../../../src/domain/publishing/audio/index.ts';
import type { Episode } from '../../../src/domain/publishing/episodes/index.ts';
import { addPerson } from '../../../src/domain/publishing/people/index.ts';
import type { Podcast } from '../../../src/domain/publishing/podcasts/index.ts';
import { setTranscript } from '../../../src/domain/publishing/transcripts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, openOwner } from '../../create-browser.ts';
import type { TestApp } from '../../create-test-app.ts';
import { makeEpisode, makePodcast } from '../../make.ts';

let app: TestApp;
let owner: User;
let podcast: Podcast;
let episode: Episode;
let browser: Browser;

beforeAll(async () => {
  ({ app, owner, browser } = await openOwner());
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  podcast = await makePodcast(app.ctx, { owner });
  episode = await makeEpisode(app.ctx, podcast, { status: 'draft' });
});

const urlOf = (part: string) => `/app/api/episodes/${episode.id}/${part}`;
const read = async (part: string) => (await browser.get(urlOf(part))).json().data;
const write = (method: 'PUT' | 'PATCH', part: string, body: object, ifMatch = '*') =>
  browser.send(method, urlOf(part), body, { 'if-match': ifMatch });
const fieldsOf = (response: { json(): { error: { details: { field: string }[] } } }) =>
  response.json().error.details.map(({ field }) => field);

describe('the people of an episode', () => {
  const setPeople = (people: object[], ifMatch?: string) =>
    write('PUT', 'people', { people }, ifMatch);

  it('the people of an episode are known people, or new ones by name', async () => {
    const { id } = await addPerson(app.ctx, { podcastId: podcast.id, name: 'Ada' });
    const response = await setPeople(
      [
        { person_id: id, role: 'Guest' },
        { name: 'Bo', role: 'editor', group: 'writing' },
        { name: 'bo', role: 'writer', group: 'writing' },
      ],
      '"1"',
    );
    expect([response.statusCode, response.headers['etag']]).toEqual([200, '"2"']);
    const { people, known, revision } = response.json().data;
    expect(revision).toBe(2);
    expect(people).toMatchObject([
      { person_id: id, name: 'Ada', role: 'guest', group: 'cast' },
      { name: 'Bo', role: 'editor', group: 'writing' },
      { name: 'Bo', role: 'writer', group: 'writing' },
    ]);
    expect(known).toMatchObject([
      { id, name: 'Ada', roster: true, photo_url: null },
      { name: 'Bo', roster: false },
    ]);
    expect(await read('people')).toEqual(response.json().data);
    expect((await setPeople([])).json().data.people).toEqual([]);
  });

  it('the people of an episode are refused with every wrong one named', async () => {
    const foreign = await addPerson(app.ctx, {
      podcastId: (await makePodcast(app.ctx)).id,
      name: 'Foreign',
    });
    expect(fieldsOf(await setPeople([{}, { name: 'A', role: 'king' }]))).toEqual([
      'people[0].name',
      'people[1].role',
    ]);
    for (const id of [foreign.id, newId()]) {
      expect(fieldsOf(await setPeople([{ person_id: id }]))).toEqual(['people']);
    }
    expect((await setPeople([], '"7"')).statusCode).toBe(412);
  });
});

describe('the chapters of an episode', () => {
  const setChapters = (chapters: object[], ifMatch?: string) =>
    write('PUT', 'chapters', { chapters }, ifMatch);

  it('the chapters of an episode are set in any order, and removed', async () => {
    expect(await read('chapters')).toEqual({ chapters: [], revision: 1 });
    const response = await setChapters(
      [
        { start_seconds: 60.5, title: 'Two', link_url: 'https://example.com/', image_url: '' },
        { start_seconds: 0, end_seconds: 10, title: 'One', hidden: true, link_url: null },
      ],
      '"1"',
    );
    expect([response.statusCode, response.headers['etag']]).toEqual([200, '"2"']);
    const nothing = { end_seconds: null, image_url: null, link_url: null, hidden: false };
    expect(response.json().data.chapters).toEqual([
      { ...nothing, start_seconds: 0, end_seconds: 10, title: 'One', hidden: true },
      { ...nothing, start_seconds: 60.5, title: 'Two', link_url: 'https://example.com/' },
    ]);
    expect((await setChapters([])).json().data).toEqual({ chapters: [], revision: 3 });
  });

  it('the chapters of an episode are refused with every wrong one named', async () => {
    const response = await setChapters([
      { start_seconds: -1, title: 'Before' },
      { start_seconds: 5 },
      { start_seconds: 9, end_seconds: 8, title: 'Backwards' },
      { start_seconds: 10, title: 'Bad', link_url: 'javascript:alert(1)', image_url: 'x' },
      { start_seconds: 1e12, title: 'Late' },
    ]);
    expect(fieldsOf(response)).toEqual([
      'chapters[0].start_seconds',
      'chapters[1].title',
      'chapters[2].end_seconds',
      'chapters[3].image_url',
      'chapters[3].link_url',
      'chapters[4].start_seconds',
    ]);
    const many = Array.from({ length: 5001 }, (_, at) => ({ start_seconds: at, title: 'x' }));
    expect(fieldsOf(await setChapters(many))).toEqual(['chapters']);
    expect((await setChapters(many.slice(1))).statusCode).toBe(200);
  });

  it('the chapters of an episode begin before the end of the audio, if its file is ours', async () => {
    const chapters = [
      { start_seconds: 30, title: 'Late' },
      { start_seconds: 1, title: 'First' },
      { start_seconds: 3, title: 'Just after' },
    ];
    const facts = { declaredType: 'audio/mpeg', sizeBytes: 1000, durationMs: 2000 };
    const external = { url: 'https://media.example.com/a.mp3', ...facts };
    await attachExternalAudio(app.ctx, episode.id, external);
    expect((await setChapters(chapters)).statusCode).toBe(200);
    await attachTone(app.ctx, episode.id, 2);
    const response = await setChapters(chapters);
    expect(response.statusCode).toBe(400);
    expect(fieldsOf(response)).toEqual(['chapters[0].start_seconds', 'chapters[2].start_seconds']);
    expect((await read('chapters')).chapters).toHaveLength(3);
    expect((await setChapters(chapters.slice(1, 2))).statusCode).toBe(200);
  });
});

describe('the transcript of an episode', () => {
  const segments = ['Hello there', 'How are you', 'Fine'].map((text, at) => ({
    startMs: at * 1000,
    endMs: at * 1000 + 900,
    speaker: 'Ada',
    text,
  }));
  const edit = (changes: object[], ifMatch?: string) =>
    write('PATCH', 'transcript', { changes }, ifMatch);
  beforeEach(() =>
    setTranscript(app.ctx, episode.id, {
      language: 'en',
      segments,
      wordCount: 6,
      durationMs: 3000,
    }),
  );

  it('the transcript of an episode is read whole', async () => {
    const response = await browser.get(urlOf('transcript'));
    expect(response.headers['etag']).toBe('"2"');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    const { data } = response.json();
    expect([data.language, data.revision, data.segments.length]).toEqual(['en', 2, 3]);
    expect(data.segments[1]).toEqual({
      index: 1,
      start_seconds: 1,
      end_seconds: 1.9,
      speaker: 'Ada',
      text: 'How are you',
    });
  });

  it('the transcript of an episode is corrected by segment, and counts its words', async () => {
    const response = await edit(
      [
        { index: 0, text: ' Hello,\n  my dear friends ' },
        { index: 2, speaker: 'Bo' },
        { index: 0, speaker: 'Cy' },
      ],
      '"2"',
    );
    expect([response.statusCode, response.headers['etag']]).toEqual([200, '"3"']);
    expect((await read('transcript')).segments).toMatchObject([
      { text: 'Hello, my dear friends', speaker: 'Cy' },
      { text: 'How are you', speaker: 'Ada' },
      { text: 'Fine', speaker: 'Bo' },
    ]);
    const { rows } = await app.database.pool.query(
      'select word_count from transcripts where episode_id = $1',
      [episode.id],
    );
    expect(rows).toEqual([{ word_count: 8 }]);
  });

  it('the transcript of an episode is refused with every wrong change named', async () => {
    expect(
      fieldsOf(
        await edit([
          { index: 3, text: 'x' },
          { index: 0, text: ' ' },
        ]),
      ),
    ).toEqual(['changes[0].index', 'changes[1].text']);
    expect((await edit([{ index: 0, text: 'x' }], '"1"')).statusCode).toBe(412);
    expect((await edit([])).statusCode).toBe(400);
    expect((await read('transcript')).revision).toBe(2);
  });

  it('the transcript of an episode is removed', async () => {
    const remove = () =>
      browser.send('DELETE', urlOf('transcript'), undefined, { 'if-match': '*' });
    expect((await remove()).statusCode).toBe(204);
    expect((await browser.get(urlOf('transcript'))).statusCode).toBe(404);
    expect((await edit([{ index: 0, text: 'x' }])).statusCode).toBe(404);
  });
});
