import type { ElementChanges } from '../../../lib/fields/feed-elements.ts';
import { wireName } from '../../../lib/wire-names.ts';
import { consumeAttempt } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { invalid, notFound, refuseWrong, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { Membership } from '../../foundation/relation.ts';
import { changedFields, type Expectation, revise } from '../../foundation/revisions/index.ts';
import { limitTexts } from '../../foundation/storage/index.ts';
import { checkCategories } from './check-categories.ts';
import { checkPodcast, claimSlug, slugsOfUser } from './create-podcast.ts';
import { changeElements, checkElements, splitElements } from './elements/change-elements.ts';
import { findPodcast } from './find-podcast.ts';
import { limitSlugs } from './limit-slugs.ts';
import { cleanPageText } from './notes/clean-page-text.ts';
import type { Podcast, PodcastFields } from './podcast.ts';
import { countSlugs, lockPodcast, updatePodcastColumns } from './podcasts.sql.ts';
import { refuseOwnFeed } from './refuse-own-feed.ts';

/** The given fields, and the given lists of elements. */
export type PodcastChanges = Partial<PodcastFields> & ElementChanges;

/** They lead subscribers to the feed at the own domain, which admins may set, too. */
const movingFields = ['redirect_feed', 'confirm_move'];

/**
 * Changes the given fields; equal values change nothing. If the slug changes, feeds and pages under
 * the old slugs redirect (301) permanently. `editPodcast` limits how many slugs a user takes.
 */
export async function updatePodcast(
  ctx: Context,
  podcastId: string,
  changes: PodcastChanges & Partial<Pick<Podcast, 'artworkId' | 'headerImageId'>>,
  expectation?: Expectation,
): Promise<Podcast> {
  return await applyChanges(
    ctx,
    podcastId,
    await cleanChanges(ctx, podcastId, changes),
    expectation,
  );
}

/** With a text as it is stored; a long one is sanitized in a child process, before a transaction. */
async function cleanChanges<T extends PodcastChanges>(
  ctx: Context,
  podcastId: string,
  changes: T,
): Promise<T> {
  const { pageText } = changes;
  if (pageText == null) return changes;
  await authorize(ctx, 'podcast.edit', { podcastId });
  return { ...changes, pageText: await cleanPageText(ctx, pageText) };
}

async function applyChanges(
  ctx: Context,
  podcastId: string,
  all: Parameters<typeof updatePodcast>[2],
  expectation?: Expectation,
): Promise<Podcast> {
  const { membership } = await authorize(ctx, 'podcast.edit', { podcastId });
  const { fields: changes, elements } = splitElements('show', all);
  if (changes.newFeedUrl !== undefined) await authorize(ctx, 'podcast.move', { podcastId });
  refuseWrong('The podcast was not changed.', checkPodcast(changes));
  return transact(ctx, async (tx) => {
    const locked = await lockPodcast(tx.db, podcastId, { asAWhole: changes.slug !== undefined });
    if (locked === undefined) throw notFound('podcast');
    const before = await getPodcast(tx, podcastId);
    const changedElements = editElements(tx, before, elements);
    const changed = [...changedFields(before, changes), ...changedElements.names];
    await revise(tx, { podcastId }, changed, expectation);
    const isMoved = [locked.status, locked.statusBeforeSuspension].includes('moved');
    if (changes.newFeedUrl === null && isMoved) {
      throw invalid('new_feed_url', sayRefusal('new_feed_needed'));
    }
    if (changes.teamKeys !== undefined) await authorize(tx, 'team_keys.set', { podcastId });
    if (movingFields.some((field) => changed.includes(field))) {
      await authorize(tx, 'podcast.move', { podcastId });
    }
    if (changed.length === 0) return before;
    if (changed.includes('slug')) await rename(tx, podcastId, membership, changes);
    if (changes.newFeedUrl !== undefined || changes.slug !== undefined) {
      await refuseOwnFeed(tx, podcastId, { newFeedUrl: locked.newFeedUrl, ...changes });
    }
    const columns = { ...changes, ...changedElements.columns };
    await updatePodcastColumns(tx.db, podcastId, columns, ctx.clock.now());
    await limitTexts(tx, podcastId);
    await announceChange(tx, { kind: 'podcast.changed', podcastId });
    return getPodcast(tx, podcastId);
  });
}

/**
 * Switches off what leads subscribers to the own domain, of a locked podcast: whoever may move its feed has
 * not agreed to the present domain.
 */
export async function endFeedRedirects(tx: Context, podcastId: string): Promise<void> {
  const off = { redirectFeed: false, confirmMove: false };
  const changed = changedFields(await getPodcast(tx, podcastId), off);
  if (changed.length === 0) return;
  await revise(tx, { podcastId }, changed);
  await updatePodcastColumns(tx.db, podcastId, off, tx.clock.now());
  await announceChange(tx, { kind: 'podcast.changed', podcastId });
}

/** Checks new elements, and returns what they change. */
function editElements(tx: Context, { extraElements }: Podcast, changes: ElementChanges) {
  refuseWrong('The podcast was not changed.', checkElements('show', changes, extraElements));
  const { elements, changed } = changeElements('show', extraElements, changes, tx.clock.now());
  if (changed.length === 0) return { names: [], columns: {} };
  return { names: changed.map(wireName), columns: { extraElements: elements } };
}

async function rename(
  tx: Context,
  podcastId: string,
  membership: Membership,
  { slug }: Partial<PodcastFields>,
): Promise<void> {
  if (slug === undefined) return;
  const before = await countSlugs(tx.db, podcastId);
  await claimSlug(tx, slug, podcastId);
  limitSlugs(membership, { before, after: await countSlugs(tx.db, podcastId) });
}

export async function getPodcast(ctx: Context, podcastId: string): Promise<Podcast> {
  return requireFound(await findPodcast(ctx, podcastId), 'podcast');
}

/** Changes fields that a person has typed: a category must be one of Apple's, unless it stays. */
export async function editPodcast(
  ctx: Context,
  podcastId: string,
  given: PodcastChanges,
  expectation?: Expectation,
): Promise<Podcast> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  await limitNewSlug(ctx, podcastId, given);
  const changes = await cleanChanges(ctx, podcastId, given);
  return transact(ctx, async (tx) => {
    const before = await getPodcast(tx, podcastId);
    const podcast = await applyChanges(tx, podcastId, changes, expectation);
    const known = new Set(checkCategories(before).map(({ message }) => message));
    refuseWrong(
      'The podcast was not changed.',
      checkCategories(podcast).filter(({ message }) => !known.has(message)),
    );
    return podcast;
  });
}

/**
 * Counts a slug that a user is about to take, also if it is refused: otherwise, anybody could find out
 * which slugs are taken. Forms may send the slug that the show has.
 */
async function limitNewSlug(
  ctx: Context,
  podcastId: string,
  { slug }: Partial<PodcastFields>,
): Promise<void> {
  const { principal } = ctx;
  if (principal.kind !== 'user' || slug === undefined) return;
  if (slug === (await getPodcast(ctx, podcastId)).slug) return;
  await consumeAttempt(ctx, [slugsOfUser, principal.userId]);
}
