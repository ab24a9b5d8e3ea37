import { type Draft, fieldsToSend, isClean } from './draft.ts';
import type { Problems, SaveMode } from './draft-server.ts';
import type { StorageProblem } from './draft-store.ts';
import type { Fields, FieldValue } from './fields.ts';
import type { RefusedFields } from './refused-fields.ts';

export type SaveStatus =
  | 'saved'
  /** Stored in this browser; a save follows automatically. */
  | 'unsaved'
  | 'saving'
  /** No connection, or a server that cannot save now: the engine tries again automatically. */
  | 'paused'
  /** Stored in this browser until the person updates the public episode. */
  | 'waiting'
  /** Somebody else changed the same fields: the person decides. */
  | 'overlapping'
  /** The server refuses some fields. */
  | 'refused'
  | Block;

/** Reasons that end saving until something outside of the engine changes. The draft stays. */
export type Block = 'signed-out' | 'forbidden' | 'gone';

export interface SaveState {
  readonly status: SaveStatus;
  /** Whether another attempt now may succeed after the last one failed. */
  readonly mayTryAgain: boolean;
  readonly revision: number;
  /** What the person sees. */
  readonly values: Fields;
  /** The state of the server. */
  readonly base: Fields;
  /** The texts of others in fields that the person changed, too. */
  readonly overlaps: Readonly<Record<string, readonly FieldValue[]>>;
  /** The server's messages about fields, as long as these have the refused values. */
  readonly problems: Problems;
  readonly dirty: boolean;
  /** Set if the browser does not store drafts. */
  readonly storageProblem: StorageProblem | undefined;
  /** Typed text is neither on the server nor in the browser's storage. */
  readonly closingLosesText: boolean;
}

interface Ongoing {
  readonly mode: SaveMode;
  readonly saving: boolean;
  readonly backingOff: boolean;
  readonly block: Block | undefined;
  readonly refused: RefusedFields;
  /** Edits are being written to the browser's storage. */
  readonly storing: boolean;
  readonly storageProblem: StorageProblem | undefined;
}

export function describeState(draft: Draft, ongoing: Ongoing): SaveState {
  const { storing, storageProblem } = ongoing;
  const dirty = !isClean(draft);
  const unsaved = fieldsToSend(draft);
  const problems = ongoing.refused.problemsOf(unsaved);
  const status = describeStatus(draft, ongoing, problems);
  const isRefused = status === 'refused' && ongoing.refused.hasRefused(unsaved);
  return {
    status,
    mayTryAgain: status === 'paused' || isRefused,
    revision: draft.revision,
    values: draft.mine,
    base: draft.base,
    overlaps: draft.held,
    problems,
    dirty,
    storageProblem,
    closingLosesText: dirty && (storing || storageProblem !== undefined),
  };
}

function describeStatus(draft: Draft, ongoing: Ongoing, problems: Problems): SaveStatus {
  const { mode, saving, backingOff, block } = ongoing;
  if (block !== undefined) return block;
  if (saving) return 'saving';
  if (isClean(draft)) return 'saved';
  if (backingOff) return 'paused';
  if (Object.keys(draft.held).length > 0) return 'overlapping';
  if (Object.keys(problems).length > 0) return 'refused';
  return mode === 'manual' ? 'waiting' : 'unsaved';
}
