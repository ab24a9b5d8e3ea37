import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SaidMessage } from '../../domain/foundation/errors.ts';
import { findNul, nulRefusal } from '../../domain/foundation/schema-errors.ts';
import { tryParseObject } from '../../lib/parse-json.ts';
import { HttpError } from '../http-errors.ts';
import type { Body, FormFields } from '../route.ts';

/** Much more than most forms and requests need. */
const maxBodyBytes = 64 * 1024;
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
  const options = { parseAs: 'string', bodyLimit: limitOf(body) } as const;
  const isForm = typeof body === 'string';
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const read = isForm ? readForm : readJson;
  scope.addContentTypeParser<string>(type, options, async (_: FastifyRequest, text: string) =>
    read(text),
  );
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
  const value = tryParseObject(text);
  if (value === undefined) throw refuseBody('body', { message: 'This must be one JSON object.' });
  // JSON can write NUL only like this, so most bodies need no search.
  if (text.includes('\\u0000')) refuseNul(value);
  return value;
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
