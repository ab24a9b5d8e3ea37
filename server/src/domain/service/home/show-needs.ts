import type { Capability } from '../../foundation/permissions/index.ts';
import type { HomeFacts } from './home-facts.sql.ts';

/** Something that a member should do about a show. `count`: of episodes. */
export type ShowNeed =
  | {
      readonly kind: 'scheduled_without_audio' | 'pending_confirmation' | 'draft_without_audio';
      readonly count: number;
    }
  | { readonly kind: 'import_failed'; readonly importId: string; readonly failedAt: Date }
  | { readonly kind: 'no_artwork' | 'no_category' | 'plan_lapsed' };

type Facts = Pick<
  HomeFacts,
  | 'counts'
  | 'draftsWithoutAudio'
  | 'scheduledWithoutAudio'
  | 'failedImport'
  | 'artwork'
  | 'category'
  | 'planState'
>;

/** What the facts ask for, the most urgent first, as far as the member may do something about it. */
export function findShowNeeds(facts: Facts, capabilities: readonly Capability[]): ShowNeed[] {
  const may = (capability: Capability) => capabilities.includes(capability);
  const needs: ShowNeed[] = [];
  const add = (needed: boolean | number, need: ShowNeed) => {
    if (needed !== false && needed !== 0) needs.push(need);
  };
  if (may('episodes.edit')) {
    const { scheduledWithoutAudio: scheduled, draftsWithoutAudio: drafts, counts } = facts;
    const pending = counts.pending_confirmation;
    add(scheduled, { kind: 'scheduled_without_audio', count: scheduled });
    add(pending, { kind: 'pending_confirmation', count: pending });
    add(drafts, { kind: 'draft_without_audio', count: drafts });
  }
  if (facts.failedImport !== null) {
    const { id, failedAt } = facts.failedImport;
    needs.push({ kind: 'import_failed', importId: id, failedAt: new Date(failedAt) });
  }
  if (may('show.settings')) {
    add(facts.artwork === null, { kind: 'no_artwork' });
    add(facts.category === null, { kind: 'no_category' });
    add(facts.planState === 'lapsed', { kind: 'plan_lapsed' });
  }
  return needs;
}
