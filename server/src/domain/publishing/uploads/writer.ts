import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../../lib/uuid.ts';
import { livenessOf, ownIdentity } from '../../../platform/database/process-identity.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, requireFound } from '../../foundation/errors.ts';
import type { Upload } from './upload.ts';
import {
  awaitWriter,
  claimUpload,
  releaseWriter,
  renewWriter,
  type Writer,
} from './uploads.sql.ts';

/** A writer on another machine counts as dead after so long without a renewal. */
const leaseMs = 10_000;
/** No claim is so long, unless the clock was set back. Clocks of machines may differ by less. */
const longestLeaseMs = 10 * 60_000;
/**
 * How soon a writer of another process learns that a request waits. A user may have thirty uploads, so
 * this is also how often a client that sends next to nothing makes the database write.
 */
const renewMs = 2_500;
const firstRetryMs = 100;
const slowestRetryMs = 1_000;
const patienceMs = 20_000;

/** Ends the request of this process that waits for an upload. */
const waiting = new Map<string, AbortController>();

/** Tells the writer of an upload, if it is in this process, that a request waits for it. */
const writing = new Map<string, () => void>();

/** Another request has become the writer, so this one must not write any more. */
export class WriterLostError extends DomainError {
  constructor() {
    super('service_unavailable', 'Another request has taken this upload over.');
    this.name = 'WriterLostError';
  }
}

/** The sole right to change the upload, until it is disposed. */
export interface Writing extends AsyncDisposable {
  readonly writer: Writer;
  /** The upload when it was claimed. */
  readonly upload: Upload;
  /** Throws WriterLostError if the claim may have expired. */
  assertHeld(): void;
}

interface ClaimOptions {
  /** Called when another request waits for this one, or has replaced it. */
  readonly onAwaited?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Becomes the upload's only writer. Asks a present writer to end, because a sender only calls again
 * after it has given up the other connection. The writer of a killed process is replaced at once,
 * or after ten seconds if it ran on another machine. Only the last request waits for an upload: the
 * one before has been given up too, and each asks the database again and again.
 */
export async function claimWriter(
  ctx: Context,
  uploadId: string,
  options: ClaimOptions = {},
): Promise<Writing> {
  const writer: Writer = { ...ownIdentity(), run: newId() };
  const claimed =
    (await tryClaim(ctx, uploadId, writer)) ?? (await waitForClaim(ctx, uploadId, writer, options));
  return keep(ctx, claimed, options);
}

async function tryClaim(
  ctx: Context,
  uploadId: string,
  writer: Writer,
  dead?: Writer,
): Promise<Claimed | undefined> {
  const claimedAtMs = performance.now();
  const upload = await claimUpload(ctx.db, uploadId, claimOf(ctx, writer), dead);
  return upload && { writer, upload, claimedAtMs };
}

async function waitForClaim(
  ctx: Context,
  uploadId: string,
  writer: Writer,
  { signal }: ClaimOptions,
): Promise<Claimed> {
  waiting.get(uploadId)?.abort();
  const replaced = new AbortController();
  waiting.set(uploadId, replaced);
  try {
    const giveUpAtMs = performance.now() + patienceMs;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, slowestRetryMs)) {
      const present = requireFound(await awaitWriter(ctx.db, uploadId), 'upload');
      writing.get(uploadId)?.();
      const dead = present !== null && livenessOf(present) === 'dead' ? present : undefined;
      if (dead === undefined) {
        await delay(retryMs, undefined, { signal: replaced.signal }).catch(() => {});
      }
      if (replaced.signal.aborted) throw busy();
      signal?.throwIfAborted();
      const claimed = await tryClaim(ctx, uploadId, writer, dead);
      if (claimed !== undefined) return claimed;
      if (performance.now() > giveUpAtMs) throw busy();
    }
  } finally {
    if (waiting.get(uploadId) === replaced) waiting.delete(uploadId);
  }
}

interface Claimed {
  readonly writer: Writer;
  readonly upload: Upload;
  readonly claimedAtMs: number;
}

function keep(
  ctx: Context,
  { writer, upload, claimedAtMs }: Claimed,
  { onAwaited = () => undefined }: ClaimOptions,
): Writing {
  let heldUntilMs = claimedAtMs + leaseMs;
  let isRenewing = false;
  const renew = async () => {
    const requestedAtMs = performance.now();
    const renewed = await renewWriter(ctx.db, upload.id, claimOf(ctx, writer));
    heldUntilMs = renewed === undefined ? 0 : requestedAtMs + leaseMs;
    if (renewed?.isAwaited !== false) onAwaited();
  };
  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    renew()
      .catch((err: unknown) => ctx.log.warn({ err }, 'the claim of an upload was not renewed'))
      .finally(() => {
        isRenewing = false;
      });
  }, renewMs);
  timer.unref();
  writing.set(upload.id, onAwaited);
  return {
    writer,
    upload,
    assertHeld() {
      if (performance.now() >= heldUntilMs) throw new WriterLostError();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      if (writing.get(upload.id) === onAwaited) writing.delete(upload.id);
      await releaseWriter(ctx.db, upload.id, writer).catch((err: unknown) =>
        ctx.log.warn({ err }, 'the claim of an upload was not released'),
      );
    },
  };
}

function claimOf({ clock }: Context, writer: Writer) {
  const now = clock.now();
  const later = (ms: number) => new Date(now.getTime() + ms);
  return { writer, now, until: later(leaseMs), latest: later(longestLeaseMs) };
}

function busy(): DomainError {
  return new DomainError(
    'service_unavailable',
    'Another request is still writing to this upload.',
    {
      retryAfterSeconds: 2,
    },
  );
}
