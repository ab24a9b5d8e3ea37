import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SaidMessage } from '../domain/errors.ts';
import { findNul, nulRefusal } from '../domain/schema-errors.ts';
import { tryParseObject } from '../lib/parse-json.ts';
import { HttpError } from './errors.ts';
import type { Body, FormFields } from './route.ts';

/** Far above what most forms and requests say. */
const maxBodyBytes = 64 * 1024;

/**
 * Within `scope`, bodies of this one type, in no coding, are read and all others refused with 415.
 * The server leaves a body unread where nothing else is said, which is what a stream needs.
 */
export function readBody(scope: FastifyInstance, body: Body): void {
  scope.addHook('preParsing', async ({ headers }) => refuseCoding(headers['content-encoding']));
  if (body === 'stream') return;
  scope.removeAllContentTypeParsers();
  const { maxBytes: bodyLimit = maxBodyBytes } = body === 'form' ? {} : body;
  const options = { parseAs: 'string', bodyLimit } as const;
  const type = body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const read = body === 'form' ? readForm : readJson;
  scope.addContentTypeParser<string>(type, options, async (_: FastifyRequest, text: string) =>
    read(text),
  );
}

/** RFC 9110 §8.4: a coding that is not read here must not be taken for text. */
function refuseCoding(coding = 'identity'): void {
  if (coding.trim().toLowerCase() === 'identity') return;
  throw new HttpError({
    status: 415,
    code: 'invalid_request',
    message: 'Send the body without a Content-Encoding.',
    details: [{ field: 'Content-Encoding', message: 'This must be identity, or left out.' }],
    headers: { 'Accept-Encoding': 'identity' },
  });
}

function readForm(text: string): FormFields {
  const fields = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  refuseNul(fields);
  return fields;
}

function readJson(text: string): unknown {
  const value = tryParseObject(text);
  if (value === undefined) throw refuseBody('body', { message: 'This must be one JSON object.' });
  // Most bodies are spared the search: JSON writes the character only like this.
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
    message: `The request is wrong in ${field}.`,
    details: [{ field, ...said }],
  });
}
