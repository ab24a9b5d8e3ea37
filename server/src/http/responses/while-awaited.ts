import type { FastifyReply } from 'fastify';
import type { Context } from '../../domain/foundation/context.ts';
import { HttpError } from '../http-errors.ts';

/** The context of a request whose work is given up if its client leaves: see `Context.abandoned`. */
export function whileAwaited(ctx: Context, reply: FastifyReply): Context {
  return { ...ctx, abandoned: clientLeaves(reply) };
}

/** Aborts when the client leaves before the end of its response. */
export function clientLeaves({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort(new HttpError(clientLeft));
  });
  return leaving.signal;
}

/** Nobody receives this. */
const clientLeft = {
  status: 400,
  code: 'invalid_request',
  message: 'The client has closed the connection.',
} as const;
