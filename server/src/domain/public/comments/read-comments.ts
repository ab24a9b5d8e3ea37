import { OutboundError, withoutPaths } from '../../../platform/outbound-http/outbound-http.ts';
import { ProcessError } from '../../../platform/processes/job.ts';
import { type AttemptLimit, consumeAttempt } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { readForeignPart } from '../../foundation/read-foreign.ts';
import { type Comment, freshMs, staleMs } from './comment.ts';
import { findStatus, type StatusRef } from './find-post.ts';
import {
  claimThread,
  type StoredThread,
  selectThread,
  unclaimThread,
  updateThread,
} from './threads.sql.ts';

const module = new URL('./thread-task.ts', import.meta.url);
const limits = { memoryMb: 256, cpuMs: 3_000, wallMs: 20_000, resultBytes: 4 * 1024 * 1024 };

/** Replies have some 5 kB with their authors, of which there are 60 at Mastodon. */
const network = {
  maxBytes: 2 * 1024 * 1024,
  timeoutMs: 8_000,
  connectTimeoutMs: 4_000,
  idleTimeoutMs: 4_000,
  // A redirect would be another request.
  maxRedirects: 0,
  httpWithinAllowOnly: true,
} as const;

/** Whose requests are next; a turn lasts until it is disposed. */
interface CommentTurns {
  take(claim: { readonly owner: string }): Promise<Disposable>;
}

/** Posts that are requested for a show: otherwise its episodes could fill the database with the replies to theirs. */
const postsOfShow: AttemptLimit = { name: 'comments', most: 200, windowMs: freshMs };

/** How many posts a process requests at once, also of one show; others wait for their turn. */
export const commentTurns = { most: 16, mostOfOwner: 2 } as const;

/**
 * The comments on a post that a public episode of this show names: those that are stored, or those that
 * the post's server has now, if nobody has asked for them in the last 15 minutes. Undefined: they could
 * not be read.
 */
export async function readComments(
  ctx: Context,
  turns: CommentTurns,
  podcastId: string,
  postUrl: string,
): Promise<readonly Comment[] | undefined> {
  const status = findStatus(postUrl);
  if (status === undefined) return undefined;
  const stored = await selectThread(ctx.db, status.contextUrl);
  const isFresh = stored !== undefined && isWithin(ctx, stored.askedAt, freshMs);
  if (isFresh) return notTooOld(ctx, stored);
  const fetched = await refresh(ctx, turns, podcastId, { ...status, before: stored?.askedAt });
  return fetched ?? notTooOld(ctx, stored);
}

function notTooOld(ctx: Context, stored: StoredThread | undefined): readonly Comment[] | undefined {
  if (stored === undefined || stored.readAt === null) return undefined;
  return isWithin(ctx, stored.readAt, staleMs) ? (stored.comments ?? undefined) : undefined;
}

function isWithin(ctx: Context, time: Date, ms: number): boolean {
  const age = ctx.clock.now().getTime() - time.getTime();
  return age >= 0 && age < ms;
}

interface ThreadToRead extends StatusRef {
  /** When it was last requested; undefined: never. */
  readonly before: Date | undefined;
}

/** Undefined: it failed, or another request does it. */
async function refresh(
  ctx: Context,
  turns: CommentTurns,
  podcastId: string,
  status: ThreadToRead,
): Promise<readonly Comment[] | undefined> {
  const { contextUrl } = status;
  try {
    using _turn = await turns.take({ owner: podcastId });
    if (!(await claimFor(ctx, podcastId, status))) return undefined;
    const comments = await fetchThread(ctx, status);
    if (comments !== undefined) await updateThread(ctx.db, contextUrl, comments, ctx.clock.now());
    return comments;
  } catch (error) {
    if (!isExpected(error)) throw error;
    const reason = withoutPaths(error.message);
    ctx.log.debug({ host: new URL(contextUrl).host, reason }, 'comments not read');
    return undefined;
  }
}

/**
 * Claims the thread for a show. If the show has no requests left, the thread stays as it was: its
 * comments are also those of other shows that name the post.
 */
async function claimFor(
  ctx: Context,
  podcastId: string,
  { contextUrl, before }: ThreadToRead,
): Promise<boolean> {
  const now = ctx.clock.now();
  if (!(await claimThread(ctx.db, contextUrl, now))) return false;
  try {
    await consumeAttempt(ctx, [postsOfShow, podcastId]);
    return true;
  } catch (error) {
    await unclaimThread(ctx.db, contextUrl, { now, before });
    throw error;
  }
}

/** The other server's failure, its bytes, or too much to do: the reader needs to know of none. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof OutboundError ||
    error instanceof ProcessError ||
    error instanceof UnreadableThreadError ||
    (error instanceof DomainError && /^(?:service_unavailable|rate_limited)$/.test(error.kind))
  );
}

class UnreadableThreadError extends Error {}

async function fetchThread(
  ctx: Context,
  { id, contextUrl }: StatusRef,
): Promise<Comment[] | undefined> {
  const headers = { Accept: 'application/json' };
  const { bytes } = await ctx.outbound.fetchBytes(contextUrl, { headers, ...network });
  return await readForeignPart<Comment[] | undefined>(ctx, {
    ...{ module, task: 'thread', limits, files: [bytes] },
    input: { id, host: new URL(contextUrl).host },
    refuse: () => new UnreadableThreadError('the response could not be read'),
  });
}
