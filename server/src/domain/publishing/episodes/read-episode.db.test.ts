import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import { attachExternalAudio, attachTone } from '../audio/index.ts';
import { pausePodcast, suspendPodcast } from '../podcasts/index.ts';
import {
  parseTranscript,
  readTranscriptPage,
  setChapters,
  setTranscript,
} from '../transcripts/index.ts';
import {
  archiveEpisode,
  type Episode,
  type NewEpisode,
  readEpisode,
  readShowNotes,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(test.clock.now().getTime() + hours * hourMs);
const unknownId = '0197a3c4-0000-7000-8000-000000000000';

const secretGuid = 'https://example.com/1?token=hush';
const source: NewEpisode['source'] = {
  key: 'k',
  guid: 'tag:example.com,2020:1',
  enclosureUrl: 'https://cdn.example.com/a.mp3',
  guidSha256: 'g'.repeat(64),
  enclosureSha256: 'e'.repeat(64),
};

interface State {
  readonly status: EpisodeStatus;
  readonly hours?: number;
}

/** Imported, with all that belongs to an episode. */
async function makeWhole({ status, hours = 1 }: State, show: object = {}): Promise<Episode> {
  const podcast = await makePodcast(test.ctx, show);
  const episode = await makeEpisode(test.ctx, podcast, {
    slug: 'one',
    guid: 'tag:example.com,2020:1',
    source,
    showNotesHtml: '<p>Notes</p>',
    publishTranscript: true,
    status: status === 'archived' ? 'published' : status,
    ...(status === 'scheduled' ? { scheduledFor: inHours(hours) } : {}),
  });
  if (status === 'archived') await archiveEpisode(test.ctx, episode.id);
  await attachTone(test.ctx, episode.id, 2);
  await setChapters(test.ctx, episode.id, [{ startMs: 0, title: 'Start' }]);
  const vtt = 'WEBVTT\n\n00:01.500 --> 00:02.000\n<v Bo>One\n\n00:02.000 --> 00:03.250\nTwo\n';
  await setTranscript(test.ctx, episode.id, { ...parseTranscript(vtt), language: 'en' });
  return episode;
}

const nothing = { audio: null, artwork: null, hasChapters: false, transcriptHasTimes: null };

describe('an episode', () => {
  // What is public: guid_sha256, enclosure_sha256, rss_guid, media.
  // KEYED-11, PRINT-15, PRINT-16
  it.each<[State, boolean]>([
    [{ status: 'pending_confirmation' }, false],
    [{ status: 'draft' }, false],
    [{ status: 'scheduled' }, false],
    [{ status: 'scheduled', hours: -1 }, true],
    [{ status: 'published' }, true],
    [{ status: 'archived' }, false],
  ])('%j shows media and where it came from: %s', async (state, isPublic) => {
    const { id } = await makeWhole(state);
    const episode = await readEpisode(test.ctx, id);
    expect(episode.guidSha256).toBe(source?.guidSha256);
    expect(episode.enclosureSha256).toBe(isPublic ? source?.enclosureSha256 : null);
    expect(episode.rssGuid).toBe(isPublic ? 'tag:example.com,2020:1' : null);
    expect(episode.durationMs).toBeGreaterThan(1_900);
    expect(episode.showNotesHtml).toBe('<p>Notes</p>');
    if (isPublic) {
      expect(episode.media).toMatchObject({ hasChapters: true, transcriptHasTimes: true });
      expect(episode.media.audio).toMatchObject({ fileName: 'one.mp3', contentType: 'audio/mpeg' });
    } else expect(episode.media).toEqual(nothing);
  });

  // KEYED-11
  it('shows media where its addresses respond: in a paused show, in no draft or suspended one', async () => {
    const draft = await makeWhole({ status: 'published' }, { status: 'draft' });
    const suspended = await makeWhole({ status: 'published' });
    await suspendPodcast(test.ctx, suspended.podcastId);
    for (const { id } of [draft, suspended]) {
      expect((await readEpisode(test.ctx, id)).media).toEqual(nothing);
    }
    const paused = await makeWhole({ status: 'published' });
    await pausePodcast(test.ctx, paused.podcastId);
    const { media } = await readEpisode(test.ctx, paused.id);
    expect(media.audio?.fileName).toBe('one.mp3');
  });

  // PRINT-2, PRINT-15, PUB-19
  it('an episode contains nothing of a source that has a credential', async () => {
    const podcast = await makePodcast(test.ctx);
    const { id } = await makeEpisode(test.ctx, podcast, {
      source: { ...source, guid: secretGuid } as NonNullable<NewEpisode['source']>,
    });
    await attachExternalAudio(test.ctx, id, {
      url: 'https://cdn.example.com/a.mp3?token=hush',
      declaredType: 'audio/mpeg',
      sizeBytes: null,
      durationMs: null,
    });
    const episode = await readEpisode(test.ctx, id);
    expect(episode).toMatchObject({ guidSha256: null, rssGuid: null });
    expect(episode.media.audio).toMatchObject({ fileName: null, contentType: 'audio/mpeg' });
    expect(JSON.stringify(episode)).not.toContain('hush');
  });

  // KEYED-12
  it('an episode has no transcript to load unless its makers publish it', async () => {
    const podcast = await makePodcast(test.ctx);
    const { id } = await makeEpisode(test.ctx, podcast);
    const transcript = parseTranscript('WEBVTT\n\n00:00.000 --> 00:01.000\nWords\n');
    await setTranscript(test.ctx, id, { ...transcript, language: 'en' });
    expect((await readEpisode(test.ctx, id)).media.transcriptHasTimes).toBe(null);
    expect((await readTranscriptPage(test.ctx, id, { after: undefined, limit: 1 })).wordCount).toBe(
      1,
    );
  });

  it('an episode that does not exist is not found', async () => {
    for (const read of [readEpisode, readShowNotes]) {
      await expect(read(test.ctx, unknownId)).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
});

describe('show notes', () => {
  it('show notes are given as text and HTML, with the time of their last change', async () => {
    const { id } = await makeWhole({ status: 'draft' });
    expect(await readShowNotes(test.ctx, id)).toEqual({
      showNotes: 'Notes',
      showNotesHtml: '<p>Notes</p>',
      updatedAt: test.clock.now(),
    });
  });
});

describe('a transcript', () => {
  it('a transcript is read in pages, whatever is published of it', async () => {
    const { id } = await makeWhole({ status: 'draft' });
    const first = await readTranscriptPage(test.ctx, id, { after: undefined, limit: 1 });
    expect(first).toEqual({
      language: 'en',
      wordCount: 2,
      durationMs: 3_250,
      segmentCount: 2,
      items: [{ position: 0, startMs: 1_500, endMs: 2_000, speaker: 'Bo', text: 'One' }],
      next: 0,
    });
    const second = await readTranscriptPage(test.ctx, id, { after: first.next, limit: 1 });
    expect(second.items.map(({ text }) => text)).toEqual(['Two']);
    expect(second.next).toBeUndefined();
  });

  // KEYED-19
  it('a transcript that does not exist is not found', async () => {
    const { id } = await makeEpisode(test.ctx, await makePodcast(test.ctx));
    const read = readTranscriptPage(test.ctx, id, { after: undefined, limit: 1 });
    await expect(read).rejects.toMatchObject({ kind: 'not_found' });
  });
});
