import { invalid } from '../../../../../domain/errors.ts';
import { maxNamedPodcasts } from '../../../../../domain/keys/index.ts';
import { listMyPodcasts, type MyPodcast } from '../../../../../domain/podcasts/index.ts';
import type { SignedInVisitor } from '../../../visitor.ts';
import type { TextField } from '../../fields.ts';

/** More than can be looked through. */
const mostOffered = 200;

/** The podcasts that a form lets choose from, and whether there are more than it shows. */
export interface OfferedPodcasts {
  readonly podcasts: readonly MyPodcast[];
  readonly areMore: boolean;
}

export async function listOfferedPodcasts({ ctx }: SignedInVisitor): Promise<OfferedPodcasts> {
  const { items, next } = await listMyPodcasts(ctx, { limit: mostOffered });
  return { podcasts: items, areMore: next !== undefined };
}

/** For those that a form does not show. */
export const otherPodcastsField: TextField = {
  kind: 'text',
  name: 'other_podcasts',
  label: 'Other podcasts',
  hint: `You work on more than the ${mostOffered} shown. Name others by slug or id, with commas between.`,
  autocomplete: 'off',
  optional: true,
};

/** The ids of what that field names; refuses whatever is no podcast of the user's. */
export async function readOtherPodcasts(
  { ctx }: SignedInVisitor,
  text: string | undefined,
): Promise<string[]> {
  const refs = text?.toLowerCase().match(/[^\s,]+/g) ?? [];
  if (refs.length === 0) return [];
  if (refs.length > maxNamedPodcasts) {
    throw invalid('other_podcasts', `A key names at most ${maxNamedPodcasts} podcasts.`);
  }
  const { items } = await listMyPodcasts(ctx, { limit: refs.length, refs });
  const known = new Set(items.flatMap(({ id, slug }) => [id, slug]));
  const missing = refs.filter((ref) => !known.has(ref));
  if (missing.length === 0) return items.map(({ id }) => id);
  throw invalid('other_podcasts', `These are no podcasts of yours: ${missing.join(', ')}.`);
}
