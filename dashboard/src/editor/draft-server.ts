import type { ServerState } from './draft.ts';
import type { Fields } from './fields.ts';

/** Why a request was not carried out, as far as the engine treats the reasons differently. */
export type Failure =
  | { readonly kind: 'signed-out' }
  /** There was no answer: nobody knows whether the server has done it. */
  | { readonly kind: 'offline' }
  /** The server cannot now: too many requests, or an error of its own. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds?: number }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'gone' };

export type SaveResult =
  | ({ readonly kind: 'saved' } & ServerState)
  /** The revision has moved: somebody else was faster. */
  | { readonly kind: 'conflict' }
  /** The message by field; nothing was saved. An empty list blames all that was sent. */
  | { readonly kind: 'refused'; readonly problems: Problems; readonly message: string }
  | Failure;

export type LoadResult = ({ readonly kind: 'loaded' } & ServerState) | Failure;

export type Problems = Readonly<Record<string, string>>;

/** The server, for one episode or form. Its functions do not throw. */
export interface DraftServer {
  /** Loads the form, and of parts beside it at least these fields; null: it is gone. */
  load(fields: readonly string[]): Promise<LoadResult>;
  /** As much of a patch as one request carries; without it, all. */
  readonly portionOf?: (patch: Fields) => Fields;
  /** `fields` of the result may name only some, as far as the server says them. */
  save(patch: Fields, revision: number): Promise<SaveResult>;
}
