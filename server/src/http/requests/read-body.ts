import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { SaidMessage } from '../../domain/foundation/errors.ts';
import { findNul, nulRefusal } from '../../domain/foundation/schema-errors.ts';
import { ByteCollector } from '../../lib/byte-collector.ts';
import { countJsonParts } from '../../lib/json-parts.ts';
import { tryParseObject } from '../../lib/parse-json.ts';
import { HttpError } from '../http-errors.ts';
import type { Body, FormFields } from '../route.ts';

/** Much more than most forms and requests need. */
const maxBodyBytes = 64 * 1024;
/** 5,000 people are as many objects with 50,000 values, and no other body has more. */
const mostContainers = 12_000;
const mostCommas = 75_000;
/** A form writes up to nine bytes for a letter: 20,000 letters of a page's text. */
const maxLongFormBytes = 256 * 1024;

/**
 * Makes the routes of `scope` read bodies of this type; refuses other types and content codings
 * with 415. A stream is not read here: the server leaves bodies unread by default.
 */
export function readBody(scope: FastifyInstance, body: Body): void {
  scope.addHook('preParsing', async ({ headers }) => refuseCoding(headers['content-encoding']));
  if (body === 'stream') return;
  scope.removeAllContentTypeParsers();
  const isForm = typeof body === 'string';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const read = isForm ? readForm : readJson;
  const mostBytes = limitOf(body);
  scope.addContentTypeParser(type, async ({ headers }: FastifyRequest, payload: Readable) => {
    if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
    return read(await receiveText(payload, mostBytes));
  });
}

/** The same for bodies that `readBody` reads in the same way. */
export function bodyKind(body: Body | undefined): string {
  if (body === undefined || typeof body === 'string') return body ?? 'none';
  return `json of ${limitOf(body)} bytes`;
}

/** In bytes. */
function limitOf(body: Exclude<Body, 'stream'>): number {
  if (body === 'long form') return maxLongFormBytes;
  return typeof body === 'string' ? maxBodyBytes : (body.maxBytes ?? maxBodyBytes);
}

/**
 * The framework keeps the pieces of a body until its end. In pieces of one byte, 3 MB took 1.5 GB of memory.
 * What comes after a refusal is dropped; the connection is then closed.
 */
function receiveText(payload: Readable, mostBytes: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const collected = new ByteCollector();
  const onPiece = (piece: Buffer) => {
    if (collected.length + piece.length <= mostBytes) return collected.add(piece);
    payload.off('data', onPiece);
    reject(tooLarge());
  };
  payload.on('data', onPiece);
  payload.once('end', () => resolve(collected.toBuffer().toString()));
  payload.once('error', reject);
  payload.resume();
  return promise;
}

const tooLarge = () => new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();

/** RFC 9110 §8.4: coded bytes must not be read as text. */
function refuseCoding(coding = 'identity'): void {
  if (coding.trim().toLowerCase() === 'identity') return;
  throw new HttpError({
    status: 415,
    code: 'invalid_request',
    message: 'Send the body without a Content-Encoding.',
    details: [{ field: 'Content-Encoding', message: 'This must be identity, or omitted.' }],
    headers: { 'Accept-Encoding': 'identity' },
  });
}

function readForm(text: string): FormFields {
  const fields = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    // A body has room for 30,000 values of one name, so the list is not copied for each.
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  refuseNul(fields);
  return fields;
}

function readJson(text: string): unknown {
  if (text.length > maxBodyBytes) refuseManyParts(text);
  const value = tryParseObject(text);
  if (value === undefined) throw refuseBody('body', { message: 'This must be one JSON object.' });
  // JSON can write NUL only like this, so most bodies need no search.
  if (text.includes('\\u0000')) refuseNul(value);
  return value;
}

/** Parsing them would take the main thread 50 to 200 ms. No schema allows as many. */
function refuseManyParts(text: string): void {
  const { containers, commas } = countJsonParts(text);
  if (containers <= mostContainers && commas <= mostCommas) return;
  throw refuseBody('body', { message: 'This has too many values.' });
}

function refuseNul(value: object): void {
  const path = findNul(value);
  if (path !== undefined) throw refuseBody(path.join('.'), nulRefusal);
}

function refuseBody(field: string, said: SaidMessage): HttpError {
  return new HttpError({
    status: 400,
    code: 'invalid_request',
    message: `The request is invalid: ${field}.`,
    details: [{ field, ...said }],
  });
}
