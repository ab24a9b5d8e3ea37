import type { FastifyReply } from 'fastify';
import type { Context } from '../../domain/context.ts';
import { HttpError } from '../errors.ts';

/** The context of a request whose work is given up if its client leaves: see `Context.abandoned`. */
export function whileAwaited(ctx: Context, { raw }: FastifyReply): Context {
  const abandoned = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) abandoned.abort(new HttpError(clientLeft));
  });
  return { ...ctx, abandoned: abandoned.signal };
}

/** Nobody receives this. */
const clientLeft = {
  status: 400,
  code: 'invalid_request',
  message: 'The client has closed the connection.',
} as const;
