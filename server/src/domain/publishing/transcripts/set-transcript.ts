import { type Context, transact } from '../../foundation/context.ts';
import { requireFound } from '../../foundation/errors.ts';
import { takeRewrite } from '../../foundation/long-writes.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import type { Chapter } from './chapter.ts';
import { TranscriptError, type TranscriptFacts } from './transcript.ts';
import {
  deleteChapters,
  deleteFurtherTranscripts,
  deleteTranscript,
  insertChapters,
  lockLanguages,
  type NewTranscript,
  type ReadLimit,
  replaceChapters,
  replaceFurtherTranscript,
  replaceTranscript,
  type StoredTranscript,
  selectChapters,
  selectFurtherTranscript,
  selectFurtherTranscriptFacts,
  selectPublishedLanguage,
  selectTranscript,
  selectTranscriptFacts,
  selectTranscriptSize,
  type TranscriptSize,
} from './transcripts.sql.ts';

/** How many languages an episode may have beside the first. */
export const maxFurtherLanguages = 19;

/**
 * Replaces the episode's first transcript. The input must come from `parseTranscript`, so that no
 * segment holds a token.
 */
export async function setTranscript(
  ctx: Context,
  episodeId: string,
  transcript: NewTranscript,
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, episodeId, { field: 'transcript', expectation }, ({ db }) =>
    replaceTranscript(db, episodeId, transcript, ctx.clock.now()),
  );
}

/**
 * Replaces the transcript in a further language, in canonical spelling. The episode must have a
 * first transcript, in another language. The input must come from `parseTranscript`. Throws
 * TranscriptError.
 */
export async function setFurtherTranscript(
  ctx: Context,
  episodeId: string,
  transcript: NewTranscript,
): Promise<void> {
  const { language } = transcript;
  await change(ctx, episodeId, { field: 'transcript' }, async ({ db }) => {
    const languages = requireFound(await lockLanguages(db, episodeId), 'transcript');
    if (languages.first.toLowerCase() === language.toLowerCase()) {
      throw new TranscriptError(
        'language_twice',
        `The first transcript is already in ${language}.`,
      );
    }
    const isNew = !languages.further.includes(language);
    if (isNew && languages.further.length >= maxFurtherLanguages) {
      const message = `An episode may have transcripts in at most ${maxFurtherLanguages + 1} languages.`;
      throw new TranscriptError('too_many_languages', message);
    }
    await replaceFurtherTranscript(db, episodeId, transcript, ctx.clock.now());
  });
}

/**
 * Replaces all transcripts in further languages by these. Throws TranscriptError, also if the
 * episode has no first transcript.
 */
export async function setFurtherTranscripts(
  ctx: Context,
  episodeId: string,
  transcripts: readonly NewTranscript[],
): Promise<void> {
  await transact(ctx, async (tx) => {
    const languages = transcripts.map(({ language }) => language);
    const twice = languages.find((language, index) => languages.indexOf(language) < index);
    if (twice !== undefined) {
      throw new TranscriptError('language_twice', `Two transcripts are in ${twice}.`);
    }
    if (languages.length > 0 && (await selectTranscriptFacts(tx.db, episodeId)) === undefined) {
      const message = 'The episode has no transcript yet. Set transcript too.';
      throw new TranscriptError('no_first', message);
    }
    await change(tx, episodeId, { field: 'transcript' }, ({ db }) =>
      deleteFurtherTranscripts(db, episodeId, languages),
    );
    for (const transcript of transcripts) await setFurtherTranscript(tx, episodeId, transcript);
  });
}

/** Removes the transcripts in all languages. */
export async function removeTranscript(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<void> {
  await authorize(ctx, actionFor.transcript, { episodeId });
  using _turn = await takeRewrite(ctx, episodeId);
  await change(ctx, episodeId, { field: 'transcript', expectation }, ({ db }) =>
    deleteTranscript(db, episodeId),
  );
}

/** Replaces the episode's chapters. */
export async function setChapters(
  ctx: Context,
  episodeId: string,
  chapters: readonly Chapter[],
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, episodeId, { field: 'chapters', expectation }, ({ db }) =>
    replaceChapters(db, episodeId, chapters, ctx.clock.now()),
  );
}

/** Sets the chapters of an episode that has none. Returns whether it had none. */
export async function setFirstChapters(
  ctx: Context,
  episodeId: string,
  chapters: readonly Chapter[],
): Promise<boolean> {
  return await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, 'episode.edit', { episodeId });
    await revise(tx, { episodeId }, ['chapters']);
    const isFirst = await insertChapters(tx.db, episodeId, chapters, ctx.clock.now());
    if (!isFirst) return false;
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
    return true;
  });
}

export async function removeChapters(
  ctx: Context,
  episodeId: string,
  expectation?: Expectation,
): Promise<void> {
  await change(ctx, episodeId, { field: 'chapters', expectation }, ({ db }) =>
    deleteChapters(db, episodeId),
  );
}

const actionFor = { transcript: 'transcript.edit', chapters: 'episode.edit' } as const;

async function change(
  ctx: Context,
  episodeId: string,
  {
    field,
    expectation,
  }: { readonly field: keyof typeof actionFor; readonly expectation?: Expectation | undefined },
  write: (tx: Context) => Promise<void>,
): Promise<void> {
  await transact(ctx, async (tx) => {
    const { podcastId } = await authorize(tx, actionFor[field], { episodeId });
    await revise(tx, { episodeId }, [field], expectation);
    await write(tx);
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
  });
}

/**
 * Finds the published transcript in `language`, one of the further ones; by default the first.
 * Undefined if there is none, or none is published. With a limit, its end may be missing.
 */
export async function findPublishedTranscript(
  ctx: Context,
  episodeId: string,
  language?: string,
  limit?: ReadLimit,
): Promise<StoredTranscript | undefined> {
  const found =
    language === undefined
      ? await selectTranscript(ctx.db, episodeId, limit)
      : await selectFurtherTranscript(ctx.db, episodeId, language, limit);
  return found?.publish === true ? found : undefined;
}

/**
 * Returns the bytes of a transcript's text, published or not; 0 without one. For callers that wait before
 * they read a large one.
 */
export async function measureTranscript(
  ctx: Context,
  episodeId: string,
  language?: string,
): Promise<number> {
  return (await selectTranscriptSize(ctx.db, episodeId, language))?.bytes ?? 0;
}

/** The same of a published transcript, and whether it has times; undefined if there is none. */
export async function measurePublishedTranscript(
  ctx: Context,
  episodeId: string,
  language?: string,
): Promise<Pick<TranscriptSize, 'bytes' | 'hasTimes'> | undefined> {
  const found = await selectTranscriptSize(ctx.db, episodeId, language);
  return found?.publish === true ? found : undefined;
}

/**
 * Finds the transcript in `language`, published or not; by default the first. For verbs that have
 * checked whether the caller may read it.
 */
export function findTranscript(
  ctx: Context,
  episodeId: string,
  language?: string,
): Promise<StoredTranscript | undefined> {
  return language === undefined
    ? selectTranscript(ctx.db, episodeId)
    : selectFurtherTranscript(ctx.db, episodeId, language);
}

/** Finds the language of the first transcript; undefined if there is none, or none is published. */
export function findPublishedLanguage(
  ctx: Context,
  episodeId: string,
): Promise<string | undefined> {
  return selectPublishedLanguage(ctx.db, episodeId);
}

export function findChapters(ctx: Context, episodeId: string): Promise<Chapter[] | undefined> {
  return selectChapters(ctx.db, episodeId);
}

/** Lists the transcripts in further languages, for members. */
export function listFurtherTranscriptFacts(
  ctx: Context,
  episodeId: string,
): Promise<TranscriptFacts[]> {
  return selectFurtherTranscriptFacts(ctx.db, episodeId);
}

/** Finds the first transcript, published or not, for members. */
export function findTranscriptFacts(
  ctx: Context,
  episodeId: string,
): Promise<TranscriptFacts | undefined> {
  return selectTranscriptFacts(ctx.db, episodeId);
}
