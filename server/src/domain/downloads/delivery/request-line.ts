import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { tryParseJson } from '../../../lib/parse-json.ts';
import { type AudioRequest, downloadSources, refusals } from '../audio-request.ts';

const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const position = Type.Integer({ minimum: 0 });

/** The end of the last year that has four digits. */
const latestMs = Date.UTC(10_000, 0, 1) - 1;

/** Far more than a process unites; a segment of such lines stays an integer of 32 bits. */
const mostRequests = 1_000_000;

const Line = Type.Object({
  at: Type.Integer({ minimum: 0, maximum: latestMs }),
  /** Missing in lines of versions that wrote one line for each request. */
  requests: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRequests })),
  podcastId: Type.String(),
  episodeId: Type.String(),
  listener: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  userAgent: nullable(Type.String()),
  network: nullable(position),
  country: nullable(Type.String()),
  source: Type.Enum([...downloadSources]),
  referrer: nullable(Type.String()),
  refusal: nullable(Type.Enum([...refusals])),
  file: Type.String({ pattern: '^[0-9a-f]{16}$' }),
  neededBytes: position,
  audio: Type.Array(Type.Object({ start: position, end: position })),
});
const isLine = new Ajv({ strict: true }).compile<Static<typeof Line>>(Line);

/** A request as a line of the journal: JSON without line breaks. */
export function formatRequestLine({ at, ...request }: AudioRequest): string {
  return JSON.stringify({ at: at.getTime(), ...request });
}

/** Undefined: the line is damaged, for example by a power failure. */
export function tryParseRequestLine(text: string): AudioRequest | undefined {
  const value = tryParseJson(text);
  if (!isLine(value)) return undefined;
  const { at, requests = 1, ...request } = value;
  return { at: new Date(at), requests, ...request };
}
