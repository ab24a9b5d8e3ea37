import type { BlobStore } from '../platform/blob-store/blob-store.ts';
import type { Clock } from '../platform/clock/clock.ts';
import type { Changes } from '../platform/database/changes.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import type { Log } from '../platform/log/log.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import type { Actor } from './actor.ts';
import type { Db, Tables } from './database.ts';
import type { RedirectTable } from './imports/provenance/index.ts';

/** What the installation decides for the domain: the part of the configuration verbs may know. */
export interface Installation {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly embedUrl: string;
  readonly defaultPlan: string;
  /** The terms users must have accepted; undefined: there are none. */
  readonly termsVersion: string | undefined;
  readonly redirectTable: RedirectTable;
}

/** First argument of every verb. Inside a transaction `db` is that transaction and nothing else. */
export interface Context {
  readonly actor: Actor;
  readonly db: Db;
  readonly changes: Changes<Tables>;
  readonly blobs: BlobStore;
  readonly outbound: OutboundHttp;
  readonly clock: Clock;
  readonly log: Log;
  readonly installation: Installation;
}

/** Runs `work` in one transaction; within an outer one it becomes a part of that. */
export function transact<T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx.db, (db) => work({ ...ctx, db }));
}

/**
 * Says that something the public sees of the podcast changes. Call it in the transaction that
 * changes it: caches here and in every other process hear of it when, and only if, it commits.
 */
export function announceChange(ctx: Context, podcastId: string): Promise<void> {
  return ctx.changes.announce(ctx.db, podcastId);
}
