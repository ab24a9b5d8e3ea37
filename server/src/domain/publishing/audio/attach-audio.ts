import { type FileHandle, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../../lib/uuid.ts';
import { type Context, transact } from '../../foundation/context.ts';
import type { FileFamily } from '../../foundation/file-family.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { audioDecidesFeed, authorize } from '../../foundation/permissions/index.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { requireStorage } from '../../foundation/storage/index.ts';
import { getEpisode } from '../episodes/index.ts';
import {
  type AudioRow,
  deleteAudioRow,
  selectAudio,
  selectKnownAudioKeys,
  upsertAudio,
} from './audio.sql.ts';
import { AudioError, type AudioFacts } from './audio-facts.ts';
import { detectExternalType } from './external-type.ts';
import { makeTone, toneFacts } from './make-tone.ts';
import { readAudioFacts } from './read-audio-facts.ts';
import { queueWaveform } from './waveforms/draw-waveforms.job.ts';

/** Audio in the blob store with its facts, not yet attached to an episode. */
export interface StoredAudio {
  readonly blobKey: string;
  readonly facts: AudioFacts;
}

/** Moves a local file into the store. Throws AudioError if it is not audio. */
async function storeAudioFile(ctx: Context, path: string): Promise<StoredAudio> {
  const facts = await readAudioFacts(ctx, path);
  const blobKey = audioKey(facts.extension);
  await ctx.blobs.putFile(blobKey, path, facts.contentType);
  return { blobKey, facts };
}

/** The same for a blob whose facts are known: stores a copy of it. */
export async function storeAudioBlob(
  ctx: Context,
  key: string,
  facts: AudioFacts,
): Promise<StoredAudio> {
  const blobKey = audioKey(facts.extension);
  await ctx.blobs.copy(key, blobKey, facts.contentType);
  return { blobKey, facts };
}

/** Stores a copy of a local file, which stays where it is. */
export async function storeAudioCopy(ctx: Context, file: FileHandle): Promise<StoredAudio> {
  const copy = join(ctx.blobs.scratchDir, `copy-${newId()}`);
  try {
    using reserved = await ctx.blobs.room.reserve((await file.stat()).size);
    await writeFile(copy, reserved.taking(file.createReadStream({ autoClose: false })));
    return await storeAudioFile(ctx, copy);
  } finally {
    await rm(copy, { force: true });
  }
}

/** A real MP3 with a tone, for demonstrations and tests. */
export async function storeTone(ctx: Context, seconds: number): Promise<StoredAudio> {
  const facts = await toneFacts(seconds);
  const blobKey = audioKey(facts.extension);
  await ctx.blobs.put(blobKey, makeTone(seconds), facts.contentType);
  return { blobKey, facts };
}

interface AttachOptions extends Expectation {
  /** Where an import found it. */
  readonly sourceUrl?: string | undefined;
  /** The account's storage counts the bytes already. */
  readonly isReserved?: boolean;
}

/**
 * Makes stored audio the episode's. Quick enough for a transaction. Throws if the account has no storage
 * for it.
 */
export async function attachStoredAudio(
  ctx: Context,
  episodeId: string,
  { blobKey, facts }: StoredAudio,
  { sourceUrl, isReserved = false, ...expectation }: AttachOptions = {},
): Promise<void> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  await transact(ctx, async (tx) => {
    const bytes = facts.sizeBytes - (await ownBytes(tx, episodeId));
    await saveAudio(tx, podcastId, copied(episodeId, blobKey, facts, sourceUrl), expectation);
    if (isReserved) return;
    // Also if the file is smaller than the one it replaces: both are kept for a while.
    await requireStorage(tx, podcastId, { bytes: Math.max(0, bytes), areCounted: true });
  });
}

/**
 * Makes a local file the episode's audio; the file is moved into the store. Throws AudioError if it
 * is not audio. `sourceUrl`: where an import found it.
 */
export async function attachAudioFile(
  ctx: Context,
  episodeId: string,
  file: { path: string; sourceUrl?: string },
  expectation?: Expectation,
): Promise<AudioFacts> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  // Before a file is stored that the row then could not have.
  const bytes = (await stat(file.path)).size - (await ownBytes(ctx, episodeId));
  await requireStorage(ctx, podcastId, { bytes: Math.max(0, bytes) });
  const stored = await storeAudioFile(ctx, file.path);
  await attachStoredAudio(ctx, episodeId, stored, { ...expectation, sourceUrl: file.sourceUrl });
  return stored.facts;
}

export async function attachTone(ctx: Context, episodeId: string, seconds: number): Promise<void> {
  await authorize(ctx, 'episode.edit', { episodeId });
  await attachStoredAudio(ctx, episodeId, await storeTone(ctx, seconds));
}

export interface ExternalAudio {
  readonly url: string;
  readonly declaredType: string | null;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
}

/**
 * Sets audio at another host: our address redirects there. If we hold a copy of that address,
 * nothing changes. Throws AudioError for an unknown type of audio.
 */
export async function attachExternalAudio(
  ctx: Context,
  episodeId: string,
  audio: ExternalAudio,
): Promise<void> {
  const { podcastId } = await authorize(ctx, 'episode.edit', { episodeId });
  const type = detectExternalType(audio.url, audio.declaredType);
  if (type === undefined)
    throw new AudioError(
      'not_audio',
      'This is not an audio file that Podstead knows: MP3, M4A, AAC, Ogg, Opus, FLAC or WAV.',
    );
  const known = await selectAudio(ctx.db, episodeId);
  if (known?.blobKey != null && known.sourceUrl === audio.url) return;
  await saveAudio(ctx, podcastId, {
    episodeId,
    blobKey: null,
    sourceUrl: audio.url,
    ...type,
    sizeBytes: audio.sizeBytes,
    durationMs: audio.durationMs,
    sha256: null,
    bitrateBps: null,
    leadingTagBytes: 0,
  });
}

/** Removes the audio: the episode stays in the API and on pages, and leaves the feed. */
export async function removeAudio(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'episode.edit', { episodeId });
    await revise(tx, { episodeId }, ['audio'], expectation);
    await authorizeFeedChange(tx, episodeId, 'remove');
    await deleteAudioRow(tx.db, episodeId);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

/** Throws for a member whose role may not publish, if audio puts the episode into the feed. */
export async function authorizeAudio(ctx: Context, episodeId: string): Promise<void> {
  await authorize(ctx, 'episode.edit', { episodeId });
  if ((await selectAudio(ctx.db, episodeId)) !== undefined) return;
  await authorizeFeedChange(ctx, episodeId, 'add');
}

async function authorizeFeedChange(
  ctx: Context,
  episodeId: string,
  change: 'add' | 'remove',
): Promise<void> {
  const { status } = await getEpisode(ctx, episodeId);
  if (audioDecidesFeed(change, status)) await authorize(ctx, 'episode.publish', { episodeId });
}

/** Of our copy of the episode's audio. */
async function ownBytes({ db }: Context, episodeId: string): Promise<number> {
  const audio = await selectAudio(db, episodeId);
  return audio?.blobKey == null ? 0 : (audio.sizeBytes ?? 0);
}

/** The audio of an episode, for its members. */
export function findAudio(ctx: Context, episodeId: string): Promise<AudioRow | undefined> {
  return selectAudio(ctx.db, episodeId);
}

/** The file before is swept later, because a backup that is being made may need it. */
async function saveAudio(
  ctx: Context,
  podcastId: string,
  audio: AudioRow,
  expectation?: Expectation,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { episodeId } = audio;
    await revise(tx, { episodeId }, ['audio'], expectation);
    const known = await selectAudio(tx.db, episodeId);
    if (known === undefined) await authorizeFeedChange(tx, episodeId, 'add');
    else if (isFarShorter(audio, known)) await authorizeFeedChange(tx, episodeId, 'remove');
    await queueWaveform(tx, audio);
    await upsertAudio(tx.db, audio, ctx.clock.now());
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

/** It has less than half of the episode, so to set it is to remove what was there. */
function isFarShorter(audio: AudioRow, known: AudioRow): boolean {
  return (audio.durationMs ?? Number.POSITIVE_INFINITY) < (known.durationMs ?? 0) / 2;
}

function copied(
  episodeId: string,
  blobKey: string,
  facts: AudioFacts,
  sourceUrl: string | undefined,
): AudioRow {
  const { contentType, extension, sizeBytes, durationMs, sha256, bitrateBps, leadingTagBytes } =
    facts;
  return {
    episodeId,
    blobKey,
    sourceUrl: sourceUrl ?? null,
    contentType,
    extension,
    sizeBytes,
    durationMs,
    sha256,
    bitrateBps,
    leadingTagBytes,
  };
}

function audioKey(extension: string): string {
  return `audio/${newId()}.${extension}`;
}

/** The files of audio in the blob store, for the sweep. */
export const audioFiles: FileFamily = {
  folder: 'audio',
  keyForm: /^audio\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/,
  findNamed: async ({ db }, keys) => new Set(await selectKnownAudioKeys(db, keys)),
};
