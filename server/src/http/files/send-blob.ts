import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../../lib/byte-range.ts';
import { evaluateConditions } from '../../lib/conditional-request.ts';
import type { MultipartByteRanges } from '../../lib/multipart-byte-ranges.ts';
import { BlobNotFoundError } from '../../platform/blob-store/blob-store.ts';
import type { HttpContext } from '../http-context.ts';
import { blobResponseTo, describeFile, outside, type StoredFile } from './blob-response.ts';
import { DamagedFileError, type ExactBytes, exactBytes } from './exact-bytes.ts';
import { newTransfer, type Transfer } from './report-media-response.ts';

/** Values that the steps below share. */
interface Sending {
  readonly http: HttpContext;
  readonly file: StoredFile;
  readonly transfer: Transfer;
}

/**
 * Sends a file from the store: whole or in ranges, for GET or HEAD, if the conditions of RFC 9110
 * hold. Updates `transfer`, also while the reply is being sent. Throws 503 if the client's network has
 * too many open (LIM-18).
 */
export async function sendBlob(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  transfer: Transfer = newTransfer(),
): Promise<FastifyReply> {
  const { status, headers, requested, body } = blobResponseTo(
    request,
    describeFile(file),
    http.accelRedirect,
  );
  transfer.isHandedOver = body === 'handed_over';
  reply.code(status);
  for (let i = 0; i + 1 < headers.length; i += 2)
    reply.header(headers[i] as string, headers[i + 1]);
  if (body === 'none' || body === 'handed_over') return reply.send();
  const { audio, others } = http.fileClients;
  const clients = file.contentType.startsWith('audio/') ? audio : others;
  const place = clients.admit(request.raw);
  const sending = { http, file, transfer };
  try {
    const bytes =
      typeof body === 'string'
        ? await readBytes(sending, body === 'range' ? requested[0] : undefined)
        : Readable.from(writeParts(sending, body), { objectMode: false });
    return reply.send(bytes.once('close', () => place[Symbol.dispose]()));
  } catch (error) {
    place[Symbol.dispose]();
    throw error;
  }
}

/**
 * The same for a file whose size only the store knows; false if it has none. The store isn't asked if the client
 * has the file already, and has no more of these requests of a network at once than it sends it files.
 */
export async function sendStored(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: Omit<StoredFile, 'sizeBytes'>,
): Promise<boolean> {
  const isKnown = evaluateConditions(request.method, request.headers, file) === 'not_modified';
  const stat = isKnown ? { sizeBytes: 0 } : await findSize(http, request, file.key);
  if (stat !== undefined) await sendBlob(http, request, reply, { ...file, ...stat });
  return stat !== undefined;
}

async function findSize({ ctx, fileClients }: HttpContext, { raw }: FastifyRequest, key: string) {
  using _place = fileClients.others.admit(raw);
  return await ctx.blobs.stat(key);
}

async function* writeParts(sending: Sending, layout: MultipartByteRanges): AsyncGenerator<Buffer> {
  for (const { head, range } of layout.parts) {
    yield head;
    yield* await readBytes(sending, range);
  }
  yield layout.tail;
}

/**
 * Reads exactly as many bytes as the row states; else the stream fails. Throws, usually before
 * anything is sent, if the file is missing or ends before the range.
 */
async function readBytes(
  { http, file, transfer }: Sending,
  range?: ByteRange,
): Promise<ExactBytes> {
  const { key, sizeBytes } = file;
  const report = (error: Error) => http.ctx.log.error({ err: error }, 'a stored file is damaged');
  try {
    const stored = await http.ctx.blobs.read(key, range, 'client');
    const expected = range === undefined ? sizeBytes : range.end - range.start + 1;
    const bytes = exactBytes(stored, expected, key);
    transfer.begun.push({ start: range?.start ?? 0, bytes });
    return bytes.once('error', (error) => error instanceof DamagedFileError && report(error));
  } catch (error) {
    if (error instanceof RangeError) {
      report(error);
      throw outside((await http.ctx.blobs.stat(key))?.sizeBytes ?? 0);
    }
    throw error instanceof BlobNotFoundError ? new DamagedFileError(key, 'it is missing') : error;
  }
}
