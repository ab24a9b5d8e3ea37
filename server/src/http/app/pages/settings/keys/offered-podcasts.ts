import { invalid } from '../../../../../domain/errors.ts';
import { maxNamedPodcasts } from '../../../../../domain/keys/index.ts';
import { listMyPodcasts, type MyPodcast } from '../../../../../domain/podcasts/index.ts';
import type { SignedInRequester } from '../../../requester.ts';
import type { TextField } from '../../fields.ts';

/** More would be too many to look through. */
const mostOffered = 200;

/** The podcasts to choose from, and whether there are more. */
export interface OfferedPodcasts {
  readonly podcasts: readonly MyPodcast[];
  readonly areMore: boolean;
}

export async function listOfferedPodcasts({ ctx }: SignedInRequester): Promise<OfferedPodcasts> {
  const { items, next } = await listMyPodcasts(ctx, { limit: mostOffered });
  return { podcasts: items, areMore: next !== undefined };
}

/** For podcasts that the form does not show. */
export const otherPodcastsField: TextField = {
  kind: 'text',
  name: 'other_podcasts',
  label: 'Other podcasts',
  hint: `Only ${mostOffered} of your podcasts are shown. Enter others by slug or id, separated by commas.`,
  autocomplete: 'off',
  optional: true,
};

/**
 * The podcasts of a key. Refuses individual podcasts together with "all": the intention is unclear,
 * and the wider access would be a surprise.
 */
export async function readReach(
  requester: SignedInRequester,
  form: {
    readonly isAll: boolean;
    /** The name of the field for "all". */
    readonly field: string;
    readonly podcasts: readonly string[];
    readonly others: string | undefined;
  },
): Promise<'all' | string[]> {
  const named = [...form.podcasts, ...(await readOtherPodcasts(requester, form.others))];
  if (!form.isAll) return named;
  if (named.length === 0) return 'all';
  throw invalid(form.field, 'Choose either all podcasts or individual ones.');
}

/** The ids of the podcasts in that field; refuses podcasts that the user does not work on. */
async function readOtherPodcasts(
  { ctx }: SignedInRequester,
  text: string | undefined,
): Promise<string[]> {
  const refs = text?.toLowerCase().match(/[^\s,]+/g) ?? [];
  if (refs.length === 0) return [];
  if (refs.length > maxNamedPodcasts) {
    throw invalid('other_podcasts', `A key can have at most ${maxNamedPodcasts} podcasts.`);
  }
  const { items } = await listMyPodcasts(ctx, { limit: refs.length, refs });
  const known = new Set(items.flatMap(({ id, slug }) => [id, slug]));
  const missing = refs.filter((ref) => !known.has(ref));
  if (missing.length === 0) return items.map(({ id }) => id);
  throw invalid('other_podcasts', `You do not work on these podcasts: ${missing.join(', ')}.`);
}
