import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { findEmails, findEmailToken } from '../../../../test/find-emails.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../../../test/make.ts';
import { isOnServer } from '../../../../test/which-database.ts';
import { newId } from '../../../lib/uuid.ts';
import {
  attachStoredAudio,
  attachTone,
  makeTone,
  removeAudio,
  storeTone,
} from '../../publishing/audio/index.ts';
import { deleteEpisode, updateEpisode } from '../../publishing/episodes/index.ts';
import { attachImage } from '../../publishing/images/index.ts';
import { findOrAddPerson, setCredits, setPeople } from '../../publishing/people/index.ts';
import {
  addMember,
  moveToNewOwner,
  offerOwnership,
  type Podcast,
  removeMember,
  updatePodcast,
} from '../../publishing/podcasts/index.ts';
import {
  editTranscript,
  findTranscript,
  removeTranscript,
  setChapters,
  setFurtherTranscript,
  setTranscript,
} from '../../publishing/transcripts/index.ts';
import {
  appendToUpload,
  createUpload,
  openUpload,
  removeUpload,
  useAudioUpload,
} from '../../publishing/uploads/index.ts';
import { deletePodcast, duplicateEpisode } from '../../service/shows/index.ts';
import { getUser, setPlan, type User } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import { readFreeStorage, readStorage } from './index.ts';
import { mergeTextSums } from './merge-text-sums.job.ts';
import { purgeWritten } from './storage.sql.ts';
import { watchStorage } from './watch-storage.job.ts';

const gb = 1_000_000_000;

let test: TestContext;
let user: User;
let podcast: Podcast;
let ctx: Context;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  user = await makeUser(test.ctx, 'free');
  podcast = await makePodcast(test.ctx, { owner: user });
  ctx = test.contextFor({ kind: 'user', userId: user.id });
});

/** Audio of so many bytes, of which only the row exists. */
async function pretendAudio(show: Podcast, sizeBytes: number): Promise<string> {
  const { id } = await makeEpisode(test.ctx, show, { status: 'draft' });
  const { facts } = await storeTone(test.ctx, 1);
  // As the operator's row, before there was a limit.
  await test.database.pool.query(
    `insert into audio_files (episode_id, blob_key, content_type, extension, size_bytes, duration_ms,
       sha256, bitrate_bps, leading_tag_bytes, updated_at)
     values ($1, 'audio/' || gen_random_uuid() || '.mp3', $2, 'mp3', $3, 1000, $4, 64000, 0, now())`,
    [id, facts.contentType, sizeBytes, facts.sha256],
  );
  return id;
}

const used = async (of: User = user) => {
  const { audioBytes, imageBytes, uploadBytes } = await readStorage(test.ctx, {
    id: of.accountId,
    plan: 'free',
  });
  return { audioBytes, imageBytes, uploadBytes };
};

async function begin(
  sizeBytes: number,
  purpose: 'audio' | 'image' = 'audio',
  show: Podcast = podcast,
): Promise<string> {
  const { id: episodeId } = await makeEpisode(test.ctx, show, { status: 'draft' });
  const id = newId();
  await createUpload(ctx, {
    ...{ id, purpose, podcastId: show.id, episodeId, filename: 'file', sizeBytes },
    sha256: undefined,
  });
  return id;
}

/** Makes all files of accounts so old. */
const age = (interval: string) =>
  test.database.pool.query('update written_files set written_at = now() - $1::interval', [
    interval,
  ]);

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'done',
    ({ kind, details, message }) => `${kind} ${details?.[0]?.reason}: ${message}`,
  );
}

const refusal = (usedText: string) =>
  'plan_upgrade_required storage_full: Your plan Free includes 5 GB of storage, and ' +
  `${usedText} is in use, so this doesn’t fit. Delete files, or ask for a larger plan.`;

async function changeTexts(act: string, episodeId: string, n: number): Promise<void> {
  const transcript = (language: string) => ({
    ...{ language, wordCount: 1, durationMs: 1000 },
    segments: [{ startMs: 0, endMs: 1000, speaker: 'Zoë', text: 'ü'.repeat(n + 1) }],
  });
  if (act === 'notes') {
    await updateEpisode(test.ctx, episodeId, { showNotesHtml: `<p>${'é'.repeat(n)}</p>` });
  }
  if (act === 'chapters') {
    await setChapters(test.ctx, episodeId, [{ startMs: 0, title: 'Ä'.repeat(n + 1) }]);
  }
  if (act === 'words' || act === 'further') {
    await setTranscript(test.ctx, episodeId, transcript('en'));
  }
  if (act === 'further') await setFurtherTranscript(test.ctx, episodeId, transcript('fr'));
  if (act === 'unsay') await removeTranscript(test.ctx, episodeId);
  if (act === 'edit' && (await findTranscript(test.ctx, episodeId)) !== undefined) {
    await editTranscript(test.ctx, episodeId, [{ index: 0, text: 'ß'.repeat(n + 1) }]);
  }
}

describe('the storage of an account', () => {
  it('the storage of an account is the sum of what rows of its podcasts name, whatever is done', async () => {
    const picture = (n: number) =>
      sharp({ create: { width: 60 + n, height: 60, channels: 3, background: '#a45' } })
        .png()
        .toBuffer();
    const acts = fc.constantFrom(
      ...['audio', 'image', 'remove', 'delete', 'copy', 'show', 'cascade'],
      ...['notes', 'words', 'further', 'edit', 'unsay', 'chapters', 'people', 'credits', 'merge'],
    );
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 15 }), async (some) => {
        // Most acts need an episode.
        const list = ['audio', ...some];
        const shows = [await makePodcast(test.ctx, { owner: user })];
        const episodes: string[] = [];
        for (const [n, act] of list.entries()) {
          const show = shows.at(-1)!;
          const last = episodes.at(-1);
          if (act === 'audio') {
            const { id } = await makeEpisode(test.ctx, show, { status: 'draft' });
            episodes.push(id);
            await attachTone(test.ctx, id, 1 + (n % 3));
            await attachTone(test.ctx, id, 1 + (n % 2));
          }
          if (act === 'image')
            await attachImage(test.ctx, { podcastId: show.id, bytes: await picture(n % 3) });
          if (act === 'remove' && last !== undefined) await removeAudio(test.ctx, last);
          if (act === 'copy' && last !== undefined) await duplicateEpisode(test.ctx, last);
          if (act === 'people') {
            const people = [{ name: 'Ada', bio: 'ä'.repeat(n + 1) }, { name: `Bo ${n}` }];
            await setPeople(test.ctx, show.id, people.slice(n % 2));
            await updatePodcast(test.ctx, show.id, { description: 'ö'.repeat(n + 1) });
          }
          if (act === 'credits' && last !== undefined) {
            const { id: personId } = await findOrAddPerson(test.ctx, {
              podcastId: show.id,
              name: 'Cy',
            });
            const credits = [{ personId }, { personId, role: 'editor' }];
            await setCredits(test.ctx, last, credits.slice(n % 3));
          }
          if (last !== undefined) await changeTexts(act, last, n);
          if (act === 'delete' && episodes.length > 0)
            await deleteEpisode(test.ctx, episodes.pop()!);
          if (act === 'show' || act === 'cascade') {
            if (act === 'show') await deletePodcast(test.ctx, show.id);
            else await test.database.pool.query('delete from podcasts where id = $1', [show.id]);
            shows.push(await makePodcast(test.ctx, { owner: user }));
            episodes.length = 0;
          }
          if (act === 'merge') {
            await mergeTextSums(test.ctx);
            const { rows: sums } = await test.database.pool.query(
              `select id from podcast_texts t left join podcasts p on p.id = t.podcast_id
               group by id having count(*) > 1 or id is null`,
            );
            expect(sums).toEqual([]);
          }
          const { rows } = await test.database.pool.query(
            `select p.id from podcasts p
             left join podcast_storage s on s.podcast_id = p.id
             cross join lateral (select coalesce(sum(bytes), 0) as bytes from (
               select a.size_bytes as bytes from audio_files a join episodes e on e.id = a.episode_id
               where e.podcast_id = p.id and a.blob_key is not null
               union all select r.size_bytes from audio_replacements r
               join episodes e on e.id = r.episode_id where e.podcast_id = p.id) f) audio
             cross join lateral (select coalesce(sum(size_bytes), 0) as bytes from images
               where podcast_id = p.id) image
             cross join lateral (select coalesce(sum(bytes), 0) as bytes from (
               select counted_bytes(o) as bytes from podcasts o where o.id = p.id
               union all select text_bytes from people where podcast_id = p.id
               union all select counted_bytes(e) from episodes e where podcast_id = p.id
               union all select 500 from images where podcast_id = p.id
               union all select 200 + 200 + octet_length(guid) from deleted_episodes where podcast_id = p.id
               union all select 200 from episode_credits c
               join episodes e on e.id = c.episode_id where e.podcast_id = p.id
               union all select octet_length(c.chapters::text) from chapters c
               join episodes e on e.id = c.episode_id where e.podcast_id = p.id
               union all select 100 + octet_length(t.speaker) + octet_length(t.body)
               from transcript_segments t join episodes e on e.id = t.episode_id
               where e.podcast_id = p.id
               union all select 100 + octet_length(t.speaker) + octet_length(t.body)
               from further_transcript_segments t join episodes e on e.id = t.episode_id
               where e.podcast_id = p.id) f) texts
             where coalesce(s.audio_bytes, 0) <> audio.bytes or coalesce(s.image_bytes, 0) <> image.bytes
               or (select coalesce(sum(bytes), 0) from podcast_texts where podcast_id = p.id) <> texts.bytes
               or count_texts(p.id) <> texts.bytes`,
          );
          expect(rows).toEqual([]);
          const { audioBytes, imageBytes } = await used();
          stored += audioBytes + imageBytes;
        }
      }),
      // The embedded database needs seconds for each, and has the same triggers.
      { numRuns: isOnServer ? 15 : 4 },
    );
    expect(stored).toBeGreaterThan(0);
  });

  // ACCT-5
  it('the storage of an account is enough for one of two uploads that begin at the same moment', async () => {
    await pretendAudio(podcast, 4.5 * gb);
    const other = await makePodcast(test.ctx, { owner: user });
    const tries = [begin(0.3 * gb), begin(0.3 * gb, 'audio', other)];
    const outcomes = await Promise.all(tries.map(outcomeOf));
    expect(outcomes.toSorted()).toEqual(['done', refusal('4.8 GB')]);
    expect(await used()).toEqual({
      ...{ audioBytes: 4.5 * gb, imageBytes: 0, uploadBytes: 0.3 * gb },
    });
  });

  it('the storage of an account is free again when an upload is cancelled or expires', async () => {
    await pretendAudio(podcast, 4 * gb);
    const id = await begin(0.9 * gb);
    expect(await outcomeOf(begin(0.2 * gb))).toBe(refusal('4.9 GB'));
    await removeUpload(ctx, id);
    await begin(0.9 * gb);
    test.clock.advance(25 * 3_600_000);
    await begin(0.9 * gb);
    test.clock.reset();
  });

  it('the storage of an account is not used up by files that other members announce, only by what arrives of them', async () => {
    const member = await makeUser(test.ctx);
    const { id: userId } = member;
    await addMember(test.ctx, { podcastId: podcast.id, userId, role: 'editor' });
    const { id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
    const theirs = test.contextFor({ kind: 'user', userId });
    const tone = await buffer(makeTone(2));
    const announce = async (sizeBytes: number) => {
      const id = newId();
      await createUpload(theirs, {
        ...{ id, purpose: 'audio', podcastId: podcast.id, episodeId, filename: 'a.mp3', sizeBytes },
        sha256: undefined,
      });
      return id;
    };
    for (let n = 0; n < 3; n += 1) await announce(2 * gb);
    expect(await used()).toMatchObject({ uploadBytes: 0 });
    const uploadId = await announce(tone.length);
    {
      await using writing = await openUpload(theirs, uploadId);
      await appendToUpload(theirs, writing, [tone] as unknown as AsyncIterable<Buffer>);
    }
    expect(await used()).toMatchObject({ uploadBytes: tone.length });

    // The owner fills the storage in the meantime: the finished file does not fit any more.
    const filler = await pretendAudio(podcast, 5 * gb);
    expect(await outcomeOf(announce(1_000))).toContain('storage_full');
    expect(await outcomeOf(useAudioUpload(theirs, { episodeId, uploadId }))).toContain(
      'storage_full',
    );
    await removeAudio(test.ctx, filler);
    await useAudioUpload(theirs, { episodeId, uploadId });
    expect(await used()).toMatchObject({ audioBytes: tone.length, uploadBytes: 0 });
  });

  it('the storage of an account is not exceeded by what other members send, one after the other or at once', async () => {
    const { id: userId } = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId, role: 'editor' });
    const { id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
    const theirs = test.contextFor({ kind: 'user', userId });
    const tone = await buffer(makeTone(2));
    await pretendAudio(podcast, 5 * gb - 2.5 * tone.length);
    const announced = Array.from({ length: 4 }, () => newId());
    for (const id of announced) {
      await createUpload(theirs, {
        ...{ id, purpose: 'audio', podcastId: podcast.id, episodeId, filename: 'a.mp3' },
        ...{ sizeBytes: tone.length, sha256: undefined },
      });
    }
    const all = Promise.withResolvers<void>();
    let begun = 0;
    /** Ends only when as many others have begun. */
    const send = async (id: string, together: number) => {
      await using writing = await openUpload(theirs, id);
      async function* body() {
        yield tone.subarray(0, 20_000);
        begun += 1;
        if (begun === together) all.resolve();
        await all.promise;
        yield tone.subarray(20_000);
      }
      await appendToUpload(theirs, writing, body());
    };
    const [first = '', second = '', third = '', fourth = ''] = announced;
    const outcomes = [first, second, third].map((id) => outcomeOf(send(id, 3)));
    expect((await Promise.all(outcomes)).toSorted()).toEqual(['done', 'done', refusal('5 GB')]);
    expect(await used()).toMatchObject({ uploadBytes: 2 * tone.length });
    // Refused before its first byte, and kept.
    expect(await outcomeOf(send(fourth, 1))).toEqual(refusal('5 GB'));
    await using kept = await openUpload(theirs, fourth);
    expect(kept.upload.receivedBytes).toBe(0);
    expect(begun).toBe(3);
  });

  it('the storage of an account is free again when the member whose uploads count is removed', async () => {
    const { id: userId } = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId, role: 'editor' });
    const { id: episodeId } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
    const theirs = test.contextFor({ kind: 'user', userId });
    const [id, sizeBytes] = [newId(), 300_000];
    await createUpload(theirs, {
      ...{ id, purpose: 'audio', podcastId: podcast.id, episodeId, filename: 'a.mp3', sizeBytes },
      sha256: undefined,
    });
    await using writing = await openUpload(theirs, id);
    const beginning = (await buffer(makeTone(20))).subarray(0, 200_000);
    const send = (bytes: Buffer) =>
      appendToUpload(theirs, writing, [bytes] as unknown as AsyncIterable<Buffer>);
    await send(beginning);
    expect(await used()).toMatchObject({ uploadBytes: beginning.length });
    await removeMember(ctx, { podcastId: podcast.id, userId });
    expect(await used()).toMatchObject({ uploadBytes: 0 });
    await expect(send(beginning.subarray(0, 1))).rejects.toThrow();
    await expect(openUpload(theirs, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  // ACCT-5
  it('the storage of an account counts pictures, but not texts', async () => {
    await pretendAudio(podcast, 5 * gb - 1_000);
    expect(await outcomeOf(begin(1_001, 'image'))).toBe(refusal('5 GB'));
    const { id: episodeId } = await makeEpisode(test.ctx, podcast);
    await createUpload(ctx, {
      ...{ id: newId(), purpose: 'transcript', podcastId: podcast.id, episodeId },
      ...{ filename: 'a.vtt', sizeBytes: 1_000_000, sha256: undefined },
    });
    await begin(1_000, 'image');
  });

  it('the storage of an account limits what the operator adds, and lets files be replaced by smaller ones', async () => {
    const episodeId = await pretendAudio(podcast, 5 * gb);
    const { id } = await makeEpisode(test.ctx, podcast);
    expect(await outcomeOf(attachTone(test.ctx, id, 1))).toBe(refusal('5 GB'));
    const bytes = await sharp({
      create: { width: 64, height: 64, channels: 3, background: '#123' },
    })
      .png()
      .toBuffer();
    expect(await outcomeOf(attachImage(test.ctx, { podcastId: podcast.id, bytes }))).toBe(
      refusal('5 GB'),
    );
    expect(await used()).toMatchObject({ audioBytes: 5 * gb, imageBytes: 0 });
    await attachStoredAudio(test.ctx, episodeId, await storeTone(test.ctx, 1));
    await attachTone(test.ctx, id, 1);
  });

  // ACCT-5
  it('the storage of an account of a lower plan removes nothing, and refuses what is new', async () => {
    const { email } = await getUser(test.ctx, user.id);
    await setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
    const episodeId = await pretendAudio(podcast, 20 * gb);
    const id = await begin(1_000);
    await setPlan(test.ctx, { email, plan: 'free', planState: 'active' });
    expect(await used()).toMatchObject({ audioBytes: 20 * gb, uploadBytes: 1_000 });
    expect(await outcomeOf(begin(1_000))).toBe(refusal('20 GB'));
    await removeUpload(ctx, id);
    await removeAudio(test.ctx, episodeId);
    expect(await outcomeOf(begin(1_000))).toContain('storage_written');
    await age('48 hours');
    await begin(1_000);
  });

  it('the storage of an account has no limit in the larger plans', async () => {
    const { email } = await getUser(test.ctx, user.id);
    await setPlan(test.ctx, { email, plan: 'production_house', planState: 'active' });
    await pretendAudio(podcast, 9_000 * gb);
    await begin(2 * gb);
  });
});

describe('a podcast that is handed over', () => {
  async function handOver(receiver: User): Promise<string> {
    const { email } = receiver;
    const { id: podcastId } = podcast;
    await offerOwnership(ctx, { podcastId, email, currentPassword: testPassword });
    const token = await findEmailToken(test, email);
    const accepting = test.contextFor({ kind: 'user', userId: receiver.id });
    return await outcomeOf(moveToNewOwner(accepting, { token, teamKeys: false }));
  }

  it('a podcast that is transferred takes its files along, if the plan of the receiver includes them', async () => {
    await pretendAudio(podcast, 3 * gb);
    const receiver = await makeUser(test.ctx, 'free');
    const own = await makePodcast(test.ctx, { owner: receiver });
    const ownEpisode = await pretendAudio(own, 3 * gb);
    expect(await handOver(receiver)).toBe(refusal('3 GB'));
    expect(await used()).toMatchObject({ audioBytes: 3 * gb });
    await removeAudio(test.ctx, ownEpisode);
    expect(await handOver(receiver)).toBe('done');
    expect(await used()).toMatchObject({ audioBytes: 0 });
    expect(await used(receiver)).toMatchObject({ audioBytes: 3 * gb });
  });
});

describe('what an account adds within two days', () => {
  const attach = async (episodeId: string, sizeBytes: number, by = ctx) => {
    const { facts, ...stored } = await storeTone(test.ctx, 1);
    return attachStoredAudio(by, episodeId, { ...stored, facts: { ...facts, sizeBytes } });
  };
  const added = async () => {
    const sum = 'select sum(bytes)::bigint as sum from written_files where account_id = $1';
    const { rows } = await test.database.pool.query(sum, [user.accountId]);
    return rows[0].sum;
  };
  it('audio that is replaced again and again is refused until the files kept for backups are gone', async () => {
    const { id } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
    for (let n = 0; n < 5; n += 1) await attach(id, 2 * gb);
    await age('3 hours');
    // Within the time for which replaced files are kept, the account would have 12 GB on the disk.
    const refused = await attach(id, 2 * gb).catch((error) => error);
    expect(refused).toMatchObject({
      kind: 'plan_upgrade_required',
      message: expect.stringContaining(
        'Your plan Free lets you add 10 GB of files within two days',
      ),
      details: [{ field: 'size_bytes', reason: 'storage_written', values: { hours: 45 } }],
    });
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(45 * 3600);
    expect(refused.retryAfterSeconds).toBeGreaterThan(44 * 3600);
    expect(await outcomeOf(begin(1_000_000))).toContain('storage_written');
    expect(await readFreeStorage(ctx, podcast.id)).toMatchObject({ bytes: 0 });
    expect(await added()).toBe(10 * gb);
    await age('48 hours');
    await attach(id, 2 * gb);
    await purgeWritten(test.ctx.db);
    expect(await added()).toBe(2 * gb);
  });

  it('what a member replaces again and again leaves the owner a quarter of what two days allow', async () => {
    const { id } = await makeEpisode(test.ctx, podcast, { status: 'draft' });
    const editor = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId: podcast.id, userId: editor.id, role: 'editor' });
    const theirs = test.contextFor({ kind: 'user', userId: editor.id });
    for (let n = 0; n < 3; n += 1) await attach(id, 2 * gb, theirs);
    await expect(attach(id, 2 * gb, theirs)).rejects.toMatchObject({
      message: expect.stringContaining('7.5 GB of files within two days'),
      details: [{ reason: 'storage_written' }],
    });
    expect(await readFreeStorage(theirs, podcast.id)).toMatchObject({ bytes: 1.5 * gb });
    for (let n = 0; n < 2; n += 1) await attach(id, 2 * gb);
    await expect(attach(id, 2 * gb)).rejects.toMatchObject({
      details: [{ reason: 'storage_written' }],
    });
  });

  it('shows and episodes that are deleted, and pictures, do not make room for more than that', async () => {
    for (let n = 0; n < 2; n += 1) {
      const show = await makePodcast(test.ctx, { owner: user });
      const { id } = await makeEpisode(test.ctx, show, { status: 'draft' });
      await attach(id, 4.9 * gb);
      if (n === 0) await deleteEpisode(test.ctx, id);
      else await deletePodcast(test.ctx, show.id);
    }
    const size = await attachImage(ctx, {
      podcastId: podcast.id,
      bytes: await sharp({ create: { width: 60, height: 60, channels: 3, background: '#a45' } })
        .png()
        .toBuffer(),
    }).then(async () => (await used()).imageBytes);
    expect(await added()).toBe(9.8 * gb + size);
    expect(await outcomeOf(begin(0.3 * gb))).toContain('storage_written');
    expect(await outcomeOf(begin(0.1 * gb))).toBe('done');
  });

  it('proposed audio that becomes the audio of its episode is added once', async () => {
    const { id } = await makeEpisode(test.ctx, podcast);
    const { facts, blobKey } = await storeTone(test.ctx, 1);
    await test.database.pool.query(
      `insert into written_files (id, account_id, bytes)
       select substring($1 from '[0-9a-f-]{36}')::uuid, $2, $3`,
      [blobKey, user.accountId, facts.sizeBytes],
    );
    await attachStoredAudio(ctx, id, { facts, blobKey });
    expect(await added()).toBe(facts.sizeBytes);
  });
});

describe('the owner', () => {
  const told = async () =>
    (await findEmails(test, user.email)).filter(({ template }) => template === 'storage-near');
  const watch = () => Promise.all([watchStorage(test.ctx), watchStorage(test.ctx)]);

  // ACCT-6
  it('the owner gets one email at 90 %, and another after it was less than 85 %', async () => {
    await pretendAudio(podcast, 4.49 * gb);
    await watch();
    expect(await told()).toEqual([]);
    const small = await pretendAudio(podcast, 0.02 * gb);
    await watch();
    await watch();
    expect(await told()).toHaveLength(1);
    expect((await told())[0]).toMatchObject({
      values: { name: user.name, plan: 'Free', used: 4.51 * gb, included: 5 * gb },
    });
    await removeAudio(test.ctx, small);
    await watch();
    await pretendAudio(podcast, 0.02 * gb);
    await watch();
    expect(await told()).toHaveLength(1);
    const { email } = user;
    await setPlan(test.ctx, { email, plan: 'creator', planState: 'active' });
    await watch();
    await setPlan(test.ctx, { email, plan: 'free', planState: 'active' });
    await watch();
    expect(await told()).toHaveLength(2);
  });
});
