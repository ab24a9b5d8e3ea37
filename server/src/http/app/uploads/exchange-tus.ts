import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Server } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../../domain/foundation/context.ts';
import { newId } from '../../../lib/uuid.ts';
import { isDiskFull } from '../../../platform/disk-full.ts';
import type { HttpContext } from '../../http-context.ts';
import { HttpError } from '../../http-errors.ts';
import { noStore } from '../../responses/payload.ts';
import type { RouteResponse } from '../../route.ts';
import { UploadStore } from './upload-store.ts';

export const uploadsPath = '/app/api/uploads';
const tusVersion = '1.0.0';
/** Short, because a client that sends again has given up the earlier request. */
const drainMs = 50;
/** Replies of the tus server from this status on are replaced by our error body. */
const firstErrorStatus = 400;

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Acts as the signed-in user. */
  readonly ctx: Context;
  readonly userId: string;
}

/** Handles one request of the tus protocol. @tus/server implements the protocol, we the storage. */
export async function exchangeTus(
  { closing, workShares, shortPieces, ctx: { installation, clock } }: HttpContext,
  { request, reply, ctx, userId }: Exchange,
): Promise<RouteResponse> {
  reply.headers({ 'Tus-Resumable': tusVersion, 'Cache-Control': noStore });
  const nowMs = () => clock.now().getTime();
  const store = new UploadStore(ctx, {
    begin() {
      shortPieces.refuseTooMany(userId, nowMs());
      // From then on it waits for its sender; a user has few uploads, and each has one writer.
      workShares.end(reply.raw);
    },
    end: (bytes) => shortPieces.count(userId, bytes, nowMs()),
  });
  let thrown: unknown;
  const server = new Server({
    path: uploadsPath,
    relativeLocation: true,
    datastore: store,
    lockDrainTimeout: drainMs,
    // A new upload needs no lock: no other request knows it yet.
    locker: request.method === 'POST' ? { newLock: () => openLock } : store,
    namingFunction: () => newId(),
    onResponseError(_request, error) {
      thrown = error;
      return undefined;
    },
  });
  // Without the query, which @tus/server would read as part of the id.
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const url = new URL(path, installation.baseUrl);
  const body = request.method === 'PATCH' ? receiveUploadBody(request.raw, closing) : undefined;
  let response: Response;
  try {
    response = await server.handleWeb(toWebRequest(url, request, body));
  } finally {
    // If the body was refused, @tus/server leaves it open. It would be kept until the process ends.
    body?.destroy();
  }
  if (response.status >= firstErrorStatus) {
    throw await toFailure(response, thrown);
  }
  for (const [name, value] of response.headers) {
    if (responded.has(name)) reply.header(name, value);
  }
  if (store.expiresAt !== undefined) reply.header('Upload-Expires', store.expiresAt.toUTCString());
  reply.code(response.status).send();
  return { kind: 'sent' };
}

const openLock = { lock: async () => {}, unlock: async () => {} };
const passedOn = ['upload-offset', 'upload-length', 'upload-metadata', 'upload-defer-length'];
const responded = new Set(['location', 'upload-offset', 'upload-length', 'upload-metadata']);

function toWebRequest(
  url: URL,
  { method, headers: given }: FastifyRequest,
  body: Readable | undefined,
): Request {
  const headers = new Headers();
  for (const name of ['tus-resumable', ...passedOn]) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (body === undefined) return new Request(url, { method, headers });
  for (const name of ['content-type', 'content-length']) {
    const value = given[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const stream = Readable.toWeb(body) as ReadableStream;
  return new Request(url, { method, headers, body: stream, duplex: 'half' } as RequestInit);
}

/** The error that the domain has thrown, or else the protocol's error in our form. */
async function toFailure(response: Response, thrown: unknown): Promise<unknown> {
  if (isDiskFull(thrown)) {
    return new HttpError({
      status: 507,
      code: 'service_unavailable',
      message: 'The server does not have enough disk space for this file. Contact the operator.',
    });
  }
  if (thrown instanceof Error && !('status_code' in thrown)) return thrown;
  const { status } = response;
  const text = (await response.text()).trim();
  const code = status === 404 || status === 410 ? 'not_found' : 'invalid_request';
  return new HttpError({
    status,
    code,
    message: text === '' ? 'This is not tus 1.0.' : `${text}.`,
  });
}

/**
 * The body of a request. If the connection breaks or `stop` aborts, the stream ends without an
 * error. So the bytes that have arrived are stored, and the client can continue from there.
 */
function receiveUploadBody(request: IncomingMessage, stop: AbortSignal): Readable {
  const onData = (chunk: Buffer) => {
    if (!body.push(chunk)) request.pause();
  };
  const end = () => {
    detach();
    body.push(null);
  };
  const detach = () => {
    request.off('data', onData).off('end', end).off('error', end).off('close', end);
    stop.removeEventListener('abort', end);
  };
  let isAttached = false;
  const body = new Readable({
    read() {
      if (!isAttached) {
        isAttached = true;
        if (request.destroyed || stop.aborted) return end();
        request.on('data', onData).on('end', end).on('error', end).on('close', end);
        stop.addEventListener('abort', end);
      }
      request.resume();
    },
    destroy(error, done) {
      detach();
      done(error);
    },
  });
  return body;
}
