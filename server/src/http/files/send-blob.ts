import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatContentRange, parseByteRange } from '../../lib/byte-range.ts';
import { evaluateConditions, formatEtag, isRangeCurrent } from '../../lib/conditional-request.ts';
import { formatHttpDate } from '../../lib/http-date.ts';
import {
  layOutMultipartByteRanges,
  type MultipartByteRanges,
} from '../../lib/multipart-byte-ranges.ts';
import type { ByteSpan } from '../../platform/blob-store/blob-store.ts';
import { HttpError } from '../errors.ts';
import type { Web } from '../web.ts';

export interface StoredFile {
  readonly key: string;
  /** SHA-256 of the bytes, hex: the strong ETag. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly lastModified?: Date;
}

/** A file from the store: whole or in ranges, by GET or HEAD, if the conditions of RFC 9110 hold. */
export async function sendBlob(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  const validators = { hash: file.hash, lastModified: file.lastModified };
  reply.header('ETag', formatEtag(file.hash));
  if (file.lastModified) reply.header('Last-Modified', formatHttpDate(file.lastModified));
  const outcome = evaluateConditions(request.method, request.headers, validators);
  if (outcome === 'not_modified') return reply.code(304).send();
  if (outcome === 'precondition_failed') throw changed();
  if (web.accelRedirect !== undefined) {
    // nginx reads the range itself, from the file this names.
    reply.headers({ 'X-Accel-Redirect': web.accelRedirect + file.key });
    return reply.type(file.contentType).send();
  }
  reply.header('Accept-Ranges', 'bytes');
  const current = isRangeCurrent(request.headers['if-range'] as string | undefined, validators);
  const selection = parseByteRange(current ? request.headers.range : undefined, file.sizeBytes);
  if (selection.kind === 'unsatisfiable') throw outside(file.sizeBytes);
  if (selection.kind === 'whole') return sendWhole(web, request, reply, file);
  const [only, ...more] = selection.ranges;
  return only !== undefined && more.length === 0
    ? sendRange(web, request, reply, file, only)
    : sendRanges(web, request, reply, file, selection.ranges);
}

async function sendWhole(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply> {
  reply.headers({ 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await web.ctx.blobs.read(file.key));
}

async function sendRange(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  span: ByteSpan,
): Promise<FastifyReply> {
  reply.code(206).headers({
    'Content-Type': file.contentType,
    'Content-Length': span.end - span.start + 1,
    'Content-Range': formatContentRange(span, file.sizeBytes),
  });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await web.ctx.blobs.read(file.key, span));
}

async function sendRanges(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  ranges: readonly ByteSpan[],
): Promise<FastifyReply> {
  const layout = layOutMultipartByteRanges(ranges, file.sizeBytes, file.contentType);
  reply.code(206).headers({
    'Content-Type': layout.contentType,
    'Content-Length': layout.contentLengthBytes,
  });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(writeParts(web, file, layout), { objectMode: false }));
}

async function* writeParts(
  web: Web,
  file: StoredFile,
  layout: MultipartByteRanges,
): AsyncGenerator<Buffer> {
  for (const { head, range } of layout.parts) {
    yield head;
    yield* await web.ctx.blobs.read(file.key, range);
  }
  yield layout.tail;
}

function changed(): HttpError {
  return new HttpError({
    status: 412,
    code: 'invalid_request',
    message: 'The file has changed: it is no longer the one the condition names.',
  });
}

function outside(sizeBytes: number): HttpError {
  return new HttpError({
    status: 416,
    code: 'invalid_request',
    message: `The file has ${sizeBytes} bytes; the range lies outside of them.`,
    headers: { 'Content-Range': formatContentRange(undefined, sizeBytes) },
  });
}
