import type { FastifyReply } from 'fastify';
import type { InTurn } from '../../domain/foundation/take-turn.ts';
import type { HttpContext } from '../http-context.ts';
import { clientLeaves } from '../responses/while-awaited.ts';

/** How a request's long reads wait for the turn of its user. */
export function turnOf(
  { longReads }: Pick<HttpContext, 'longReads'>,
  userId: string,
  reply: FastifyReply,
): InTurn {
  const left = clientLeaves(reply);
  return (read) => longReads.run(userId, left, read);
}
