import type { ServerState } from './draft.ts';
import type { Fields } from './fields.ts';

/** Why a request was not carried out, as far as the engine distinguishes the reasons. */
export type Failure =
  | { readonly kind: 'signed-out' }
  /** There was no response, so it is unknown whether the server has done it. */
  | { readonly kind: 'offline' }
  /** The server cannot do it now: too many requests, or an error of its own. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds?: number }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'gone' };

export type SaveResult =
  | ({ readonly kind: 'saved' } & ServerState)
  /** The server has another revision: somebody else was faster. */
  | { readonly kind: 'conflict' }
  /** The messages by field; nothing was saved. An empty list refuses all sent fields. */
  | { readonly kind: 'refused'; readonly problems: Problems; readonly message: string }
  | Failure;

export type LoadResult = ({ readonly kind: 'loaded' } & ServerState) | Failure;

export type Problems = Readonly<Record<string, string>>;

/** The server, for one episode or form. Its functions do not throw. */
export interface DraftServer {
  /** Loads the form, and at least these fields of the parts beside it; null: it is gone. */
  load(fields: readonly string[]): Promise<LoadResult>;
  /** The part of a patch that fits in one request; without it, all. */
  readonly portionOf?: (patch: Fields) => Fields;
  /** `fields` of the result may have only some fields, if the server returns only these. */
  save(patch: Fields, revision: number): Promise<SaveResult>;
}

/** `manual`: the episode is public, so its changes wait in the browser for `update`. */
export type SaveMode = 'auto' | 'manual';
