import { mostSlugs } from '../../../lib/slug.ts';
import { invalid } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import type { Membership } from '../../foundation/relation.ts';
import { isOwner } from './podcast-rights.ts';

/** Slugs are never released. So members can't use up the last ones of a show or an episode. */
const slugsOfOwner = 20;

/**
 * Refuses the slug that a show or an episode was just given if it has had too many. An earlier one, which
 * leaves their number as it was, is always possible.
 */
export function limitSlugs(
  membership: Membership,
  { before, after }: { readonly before: number; readonly after: number },
): void {
  if (after === before) return;
  if (after > mostSlugs) throw invalid('slug', sayRefusal('slugs_used_up', { max: mostSlugs }));
  if (after > mostSlugs - slugsOfOwner && !isOwner(membership)) {
    throw invalid('slug', sayRefusal('slugs_of_owner', { max: slugsOfOwner }));
  }
}
