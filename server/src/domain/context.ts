import type { BlobStore } from '../platform/blob-store/blob-store.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Changes } from '../platform/database/changes.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Log } from '../platform/log/log.ts';
import type { Mailer } from '../platform/mailer/mailer.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import type { Actor } from './actor.ts';
import type { Db, Tables } from './database.ts';
import type { RedirectTable } from './imports/provenance/index.ts';

export interface Terms {
  readonly version: string;
  /** Where they are read; undefined: whoever runs the installation says so elsewhere. */
  readonly url: string | undefined;
}

/** What the installation decides for the domain: the part of the configuration verbs may know. */
export interface Installation {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly embedUrl: string;
  readonly defaultPlan: string;
  /** Whether anybody may make an account; if not, the operator and invitations do. */
  readonly signUp: boolean;
  /** What users must have accepted; undefined: nothing. */
  readonly terms: Terms | undefined;
  readonly redirectTable: RedirectTable;
  /** Under which networks and addresses are told apart in rows that must not name them. */
  readonly tagKey: Buffer;
}

/** First argument of every verb. Inside a transaction `db` is that transaction and nothing else. */
export interface Context {
  readonly actor: Actor;
  readonly db: Db;
  readonly changes: Changes<Tables>;
  readonly blobs: BlobStore;
  readonly outbound: OutboundHttp;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly log: Log;
  readonly installation: Installation;
}

/** Runs `work` in one transaction; within an outer one it becomes a part of that. */
export function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx.db, (db) => work({ ...ctx, db }));
}
