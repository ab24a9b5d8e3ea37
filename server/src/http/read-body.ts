import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from './errors.ts';
import type { Body, FormFields } from './route.ts';

/** Far above what any form or request here says. */
const maxBodyBytes = 64 * 1024;

/** Within `scope`, bodies of this one type are read and all others refused with 415. */
export function readBody(scope: FastifyInstance, body: Body): void {
  scope.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: maxBodyBytes } as const;
  const type = body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  const read = body === 'form' ? readForm : readJson;
  scope.addContentTypeParser<string>(type, options, async (_: FastifyRequest, text: string) =>
    read(text),
  );
}

function readForm(text: string): FormFields {
  const fields = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    refuseNul(name, value);
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

function readJson(text: string): unknown {
  const value = tryParseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuseBody('body', 'This is one JSON object.');
  }
  if (text.includes('\\u0000')) {
    JSON.parse(text, (name, part: unknown) => {
      refuseNul(name, part);
      return part;
    });
  }
  return value;
}

/** The parser's words are not passed on: they quote the body. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The one character that no text of the database holds. */
function refuseNul(field: string, value: unknown): void {
  if (typeof value === 'string' && value.includes('\0')) {
    throw refuseBody(field, 'This holds a NUL character.');
  }
}

function refuseBody(field: string, message: string): HttpError {
  return new HttpError({
    status: 400,
    code: 'invalid_request',
    message: `The request is wrong in ${field}.`,
    details: [{ field, message }],
  });
}
