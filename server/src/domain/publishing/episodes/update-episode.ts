import type { ElementChanges } from '../../../lib/fields/feed-elements.ts';
import { wireName } from '../../../lib/wire-names.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { Membership } from '../../foundation/relation.ts';
import { changedFields, type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import {
  areLongNotes,
  type CleanShowNotes,
  changeElements,
  checkElements,
  cleanLongNotes,
  cleanShowNotes,
  limitSlugs,
  splitElements,
} from '../podcasts/index.ts';
import { checkSoundbites } from './check-soundbites.ts';
import { checkEpisode } from './create-episode.ts';
import { asOf, type Episode, type EpisodeFields, type EpisodeSource } from './episode.ts';
import {
  claimEpisodeSlug,
  countEpisodeSlugs,
  lockEpisode,
  updateEpisodeColumns,
  updateEpisodeSource,
} from './episodes.sql.ts';
import { getEpisode } from './read-episode.ts';

export type EpisodeChanges = Partial<EpisodeFields> &
  ElementChanges & {
    readonly artworkId?: string | null;
    /** False: the number is shown to nobody. */
    readonly numberGiven?: false;
    readonly source?: EpisodeSource;
    /** Accompanies `showNotesHtml` if a thread has sanitized it already. */
    readonly cleanNotes?: CleanShowNotes | undefined;
  };

/** A member who may not read transcripts may not decide either who reads them. */
const transcriptRights = ['publish_transcript', 'share_transcript_with_cohosts'];

/** Changes the given fields; other verbs change the status. Values that are there already change nothing. */
export async function updateEpisode(
  ctx: Context,
  episodeId: string,
  changes: EpisodeChanges,
  expectation?: Expectation,
): Promise<Episode> {
  refuseWrong('The episode was not changed.', checkEpisode(changes));
  const { elements, fields: given } = splitElements('episode', changes);
  const cleanNotes = changes.cleanNotes ?? (await cleanApart(ctx, episodeId, changes));
  return transact(ctx, async (tx) => {
    // Before the lock: a refused request must not make others wait for it.
    const { podcastId, membership } = await authorize(tx, 'episode.edit', { episodeId });
    const episode = requireFound(await lockEpisode(tx.db, episodeId), 'episode');
    const { source, slug, cleanNotes: _, ...fields } = given;
    const notes =
      fields.showNotesHtml === undefined ? {} : cleanShowNotes(fields.showNotesHtml, cleanNotes);
    const number = fields.episodeNumber === undefined ? {} : { numberGiven: true };
    const changedElements = await editElements(tx, episode, elements);
    const columns = { ...fields, ...notes, ...number, ...changedElements.columns };
    // The plain text of the notes follows from them.
    const edited = { ...fields, ...notes, ...number, showNotes: undefined, slug };
    const changed = [...changedFields(episode, edited), ...changedElements.names];
    if (transcriptRights.some((field) => changed.includes(field))) {
      await authorize(tx, 'transcript.edit', { podcastId, episodeId });
    }
    await revise(tx, { episodeId }, changed, expectation);
    if (changed.length === 0 && source === undefined) return asOf(episode, ctx.clock.now());
    if (slug !== undefined) await rename(tx, membership, { ...episode, slug });
    await updateEpisodeColumns(tx.db, episodeId, columns, ctx.clock.now());
    await limitTexts(tx, podcastId);
    if (source !== undefined) await updateEpisodeSource(tx.db, episodeId, source);
    await announceChange(tx, { kind: 'episode.changed', podcastId, episodeId });
    return getEpisode(tx, episodeId);
  });
}

/** Checks new elements, and returns what they change. */
async function editElements(tx: Context, episode: Episode, changes: ElementChanges) {
  const { extraElements } = episode;
  refuseWrong('The episode was not changed.', [
    ...checkElements('episode', changes, extraElements),
    ...(await checkSoundbites(tx, episode, changes)),
  ]);
  const { elements, changed } = changeElements('episode', extraElements, changes, tx.clock.now());
  if (changed.length === 0) return { names: [], columns: {} };
  return { names: changed.map(wireName), columns: { extraElements: elements } };
}

async function rename(tx: Context, membership: Membership, episode: Episode): Promise<void> {
  const { id, slug } = episode;
  const before = await countEpisodeSlugs(tx.db, id);
  if (!(await claimEpisodeSlug(tx.db, episode, tx.clock.now()))) {
    throw invalid('slug', sayRefusal('episode_slug_taken', { slug }), 'slug_taken');
  }
  limitSlugs(membership, { before, after: await countEpisodeSlugs(tx.db, id) });
}

/** The form saves while people type, so a new slug may be several. */
const slugsOfUser: AttemptLimit = { name: 'episode-slugs-user', most: 120, windowMs: 3_600_000 };

/** The same for a person, who takes a limited number of slugs. Not inside a transaction. */
export async function editEpisode(
  ctx: Context,
  episodeId: string,
  changes: EpisodeChanges,
  expectation?: Expectation,
): Promise<Episode> {
  await authorize(ctx, 'episode.edit', { episodeId });
  const { principal } = ctx;
  const { slug } = changes;
  // Forms may send the slug that the episode has.
  if (principal.kind === 'user' && slug !== undefined) {
    const isNew = slug !== (await getEpisode(ctx, episodeId)).slug;
    if (isNew) await consumeAttempt(ctx, [slugsOfUser, principal.userId]);
  }
  return updateEpisode(ctx, episodeId, changes, expectation);
}

/**
 * Long notes are sanitized in a child process, before the transaction, if the caller may edit the
 * episode.
 */
async function cleanApart(
  ctx: Context,
  episodeId: string,
  { showNotesHtml }: EpisodeChanges,
): Promise<CleanShowNotes | undefined> {
  if (!areLongNotes(showNotesHtml)) return undefined;
  await authorize(ctx, 'episode.edit', { episodeId });
  return cleanLongNotes(ctx, showNotesHtml);
}
