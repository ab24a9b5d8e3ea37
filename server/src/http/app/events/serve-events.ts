import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasLiveSession } from '../../../domain/access/sessions/index.ts';
import type { HttpContext } from '../../http-context.ts';
import { unbuffered } from '../../responses/default-headers.ts';
import type { RouteResponse } from '../../route.ts';
import type { SignedInRequester } from '../requester.ts';
import { EventStream, type StreamEvent } from './event-stream.ts';

const heartbeatMs = 15_000;

/** Sends changes to a stream until it is disposed. */
export interface Follower extends Disposable {
  /** Called with every heartbeat, because announcements may have been missed. */
  look(): void;
}

/**
 * Sends events if the session is still valid, else ends the stream, without waiting for the next
 * heartbeat.
 */
export type SendEvents = (events: readonly StreamEvent[]) => Promise<void>;

interface Input {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: SignedInRequester;
}

/**
 * Sends a stream of events until the client disconnects, its session ends, or the server stops.
 * `follow` must not throw: the request must be checked before.
 */
export function serveEvents(
  { closing, eventStreams, workShares, ctx: { log } }: HttpContext,
  { request, reply, caller: { ctx, session } }: Input,
  follow: (stream: EventStream, sendEvents: SendEvents) => Follower,
): RouteResponse {
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    ...unbuffered,
  });
  if (request.method === 'HEAD') {
    reply.send();
    return { kind: 'sent' };
  }
  const place = eventStreams.add(session.userId, request.raw);
  workShares.end(reply.raw);
  const stream = new EventStream();
  const end = () => stream.end();
  const whileLive = async (act: () => void) => {
    if (await hasLiveSession(ctx, session.id)) act();
    else end();
  };
  const follower = follow(stream, async (events) => {
    if (events.length === 0) return;
    await whileLive(() => {
      for (const event of events) stream.send(event);
    });
  });
  const beat = () =>
    whileLive(() => {
      stream.beat();
      follower.look();
    });
  const timer = setInterval(() => {
    // The stream continues: while the database is away, no session can end.
    beat().catch((err: unknown) => {
      if (!stream.body.destroyed) log.warn({ err }, 'a session could not be looked up');
    });
  }, heartbeatMs);
  timer.unref();
  closing.addEventListener('abort', end, { once: true });
  stream.body.once('close', () => {
    clearInterval(timer);
    follower[Symbol.dispose]();
    closing.removeEventListener('abort', end);
    place[Symbol.dispose]();
  });
  if (closing.aborted) end();
  reply.send(stream.body);
  return { kind: 'sent' };
}
