import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, formatContentRange, parseByteRange } from '../../lib/byte-range.ts';
import { evaluateConditions, formatEtag, isRangeCurrent } from '../../lib/conditional-request.ts';
import { formatHttpDate } from '../../lib/http-date.ts';
import {
  layOutMultipartByteRanges,
  type MultipartByteRanges,
} from '../../lib/multipart-byte-ranges.ts';
import { BlobNotFoundError } from '../../platform/blob-store/blob-store.ts';
import { HttpError } from '../errors.ts';
import type { HttpContext } from '../http-context.ts';
import { DamagedFileError, type ExactBytes, exactBytes } from './exact-bytes.ts';
import { newTransfer, rangesOf, type Transfer } from './transfer.ts';

export interface StoredFile {
  readonly key: string;
  /** SHA-256 of the bytes, hex: the strong ETag. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: string;
  readonly lastModified?: Date;
}

/** All that the steps below share. */
interface Sending {
  readonly http: HttpContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly file: StoredFile;
  readonly transfer: Transfer;
}

/**
 * A file from the store: whole or in ranges, by GET or HEAD, if the conditions of RFC 9110 hold.
 * `transfer` is written to, also while the reply is being sent.
 */
export async function sendBlob(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  transfer: Transfer = newTransfer(),
): Promise<FastifyReply> {
  const { sizeBytes } = file;
  const { range, 'if-range': ifRange } = request.headers;
  const validators = { hash: file.hash, lastModified: file.lastModified };
  reply.header('ETag', formatEtag(file.hash));
  if (file.lastModified) reply.header('Last-Modified', formatHttpDate(file.lastModified));
  const outcome = evaluateConditions(request.method, request.headers, validators);
  if (outcome === 'not_modified') return reply.code(304).send();
  if (outcome === 'precondition_failed') throw changed();
  if (http.accelRedirect !== undefined) {
    // nginx reads the range itself, from the file this names. If-Range it holds against its own ETag.
    transfer.requested = rangesOf(parseByteRange(range, sizeBytes), sizeBytes);
    transfer.isHandedOver = true;
    reply.headers({ 'X-Accel-Redirect': http.accelRedirect + file.key });
    return reply.type(file.contentType).send();
  }
  reply.header('Accept-Ranges', 'bytes');
  const current = isRangeCurrent(ifRange as string | undefined, validators);
  const selection = parseByteRange(current ? range : undefined, sizeBytes);
  if (selection.kind === 'unsatisfiable') throw outside(sizeBytes);
  transfer.requested = rangesOf(selection, sizeBytes);
  const sending = { http, request, reply, file, transfer };
  if (selection.kind === 'whole') return sendWhole(sending);
  const [only, ...more] = selection.ranges;
  return only !== undefined && more.length === 0
    ? sendRange(sending, only)
    : sendRanges(sending, selection.ranges);
}

async function sendWhole(sending: Sending): Promise<FastifyReply> {
  const { request, reply, file } = sending;
  reply.headers({ 'Content-Type': file.contentType, 'Content-Length': file.sizeBytes });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await readBytes(sending));
}

async function sendRange(sending: Sending, range: ByteRange): Promise<FastifyReply> {
  const { request, reply, file } = sending;
  reply.code(206).headers({
    'Content-Type': file.contentType,
    'Content-Length': range.end - range.start + 1,
    'Content-Range': formatContentRange(range, file.sizeBytes),
  });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await readBytes(sending, range));
}

async function sendRanges(sending: Sending, ranges: readonly ByteRange[]): Promise<FastifyReply> {
  const { request, reply, file } = sending;
  const layout = layOutMultipartByteRanges(ranges, file.sizeBytes, file.contentType);
  reply.code(206).headers({
    'Content-Type': layout.contentType,
    'Content-Length': layout.contentLengthBytes,
  });
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(writeParts(sending, layout), { objectMode: false }));
}

async function* writeParts(sending: Sending, layout: MultipartByteRanges): AsyncGenerator<Buffer> {
  for (const { head, range } of layout.parts) {
    yield head;
    yield* await readBytes(sending, range);
  }
  yield layout.tail;
}

/**
 * As many bytes of the store as the row promises, or a stream that breaks off. A file that is not
 * there, or ends before the range begins, is refused: with luck before anything is sent.
 */
async function readBytes(
  { http, file, transfer }: Sending,
  range?: ByteRange,
): Promise<ExactBytes> {
  const { key, sizeBytes } = file;
  const report = (error: Error) => http.ctx.log.error({ err: error }, 'a stored file is damaged');
  try {
    const stored = await http.ctx.blobs.read(key, range);
    const expected = range === undefined ? sizeBytes : range.end - range.start + 1;
    const bytes = exactBytes(stored, expected, key);
    transfer.begun.push({ start: range?.start ?? 0, bytes });
    return bytes.once('error', (error) => error instanceof DamagedFileError && report(error));
  } catch (error) {
    if (error instanceof RangeError) {
      report(error);
      throw outside((await http.ctx.blobs.stat(key))?.sizeBytes ?? 0);
    }
    throw error instanceof BlobNotFoundError ? new DamagedFileError(key, 'it is gone') : error;
  }
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
