/**
 * Changes: announced to caches at once, and to consumers each once and in order. Tables:
 * change_events, change_head, change_consumers.
 */
export { announceChange } from './announce-change.ts';
export type { Change, ChangeEvent, ChangeKind } from './change.ts';
export { consumeChanges, hasUnreadChanges } from './consume-changes.ts';
