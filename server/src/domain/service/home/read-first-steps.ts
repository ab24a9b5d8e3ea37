import type { Context } from '../../foundation/context.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { readHealth, readListings } from '../../publishing/distribution/index.ts';
import { type FirstStepFacts, selectFirstStepFacts } from './home-facts.sql.ts';

/** What a new show needs until it has listeners, in this order. */
export const firstSteps = ['cover', 'texts', 'audio', 'published', 'directories'] as const;

export interface FirstStep {
  readonly step: (typeof firstSteps)[number];
  readonly isDone: boolean;
  /** The episode to continue with; null: there is none, or the step is done or concerns none. */
  readonly episodeId: string | null;
}

/** A show is new for so long after its first episode came out. */
const newForMs = 30 * 86_400_000;

/** The rules of apps and directories that keep a step open while the show breaks them. */
const rulesOf = {
  cover: ['artwork', 'artwork_square', 'artwork_size'],
  texts: ['description', 'category', 'category_known'],
  published: ['feed_is_public', 'has_an_episode'],
} as const;

/**
 * Reads the first steps of a new show, for members who edit the show and see every episode: the
 * steps tell of drafts. Empty: all are done, or the show is not new.
 */
export async function readFirstSteps(ctx: Context, podcastId: string): Promise<FirstStep[]> {
  await authorize(ctx, 'podcast.edit', { podcastId });
  await authorize(ctx, 'podcast.check', { podcastId });
  const now = ctx.clock.now();
  const facts = await selectFirstStepFacts(ctx.db, podcastId, now);
  if (facts === undefined || !isNew(facts, now)) return [];
  const { findings } = await readHealth(ctx, podcastId);
  const listings = await readListings(ctx, podcastId);
  const broken = new Set(findings.map(({ rule }) => rule));
  const keeps = (step: keyof typeof rulesOf) => !rulesOf[step].some((rule) => broken.has(rule));
  const isDone = {
    cover: keeps('cover'),
    texts: keeps('texts'),
    audio: facts.hasAudio,
    published: keeps('published'),
    directories: listings.some(({ status }) => status !== 'todo'),
  };
  if (firstSteps.every((step) => isDone[step])) return [];
  const episodeOf = { audio: facts.draftWithoutAudio, published: facts.unpublishedWithAudio };
  return firstSteps.map((step) => ({
    step,
    isDone: isDone[step],
    episodeId: !isDone[step] && (step === 'audio' || step === 'published') ? episodeOf[step] : null,
  }));
}

function isNew({ beganHere, firstPublicAt }: FirstStepFacts, now: Date): boolean {
  return (
    beganHere && (firstPublicAt === null || now.getTime() - firstPublicAt.getTime() < newForMs)
  );
}
