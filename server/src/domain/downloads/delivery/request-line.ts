import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { tryParseJson } from '../../../lib/parse-json.ts';
import {
  type AudioRequest,
  downloadSources,
  firstRequestMs,
  type Refusal,
  refusals,
} from '../audio-request.ts';

/** The end of the last year that has four digits. */
const latestMs = Date.UTC(10_000, 0, 1) - 1;

/** Far more than a process unites; a segment of such lines stays an integer of 32 bits. */
const mostRequests = 100_000;

const position = Type.Integer({ minimum: 0 });
const text = Type.String();
const nullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const fields = {
  at: Type.Integer({ minimum: firstRequestMs, maximum: latestMs }),
  requests: Type.Integer({ minimum: 1, maximum: mostRequests }),
  listener: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  network: Type.Unsafe<number | null>({ type: ['integer', 'null'], minimum: 0 }),
  source: Type.Enum([...downloadSources]),
  refusal: Type.Unsafe<Refusal | null>({ enum: [...refusals, null] }),
  file: Type.String({ pattern: '^[0-9a-f]{16}$' }),
};

/**
 * The number of the format of these lines. A change that earlier versions cannot read takes the next
 * number, and continues to read the lines of all lower ones.
 */
export const requestLineFormat = 2;

/** A list of values costs a third of the time that an object with names costs. */
const Line = Type.Tuple([
  fields.at,
  fields.requests,
  /* podcastId */ text,
  /* episodeId */ text,
  fields.listener,
  /* userAgent */ nullableText,
  fields.network,
  /* country */ nullableText,
  fields.source,
  /* referrer */ nullableText,
  fields.refusal,
  fields.file,
  /* neededBytes */ position,
  /* audio: first and last bytes */ Type.Array(Type.Tuple([position, position])),
]);

/** Format 1, of version 0.1.0: objects. */
const EarlierLine = Type.Object({
  ...fields,
  /** Missing in lines of still earlier versions, which united no requests. */
  requests: Type.Optional(fields.requests),
  podcastId: text,
  episodeId: text,
  userAgent: nullableText,
  country: nullableText,
  referrer: nullableText,
  neededBytes: position,
  audio: Type.Array(Type.Object({ start: position, end: position })),
});

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const isLine = ajv.compile<Static<typeof Line>>(Line);
const isEarlierLine = ajv.compile<Static<typeof EarlierLine>>(EarlierLine);

/** A request as a line of the journal: JSON without line breaks. */
export function formatRequestLine(request: AudioRequest): string {
  const line: Static<typeof Line> = [
    request.at.getTime(),
    request.requests,
    request.podcastId,
    request.episodeId,
    request.listener,
    request.userAgent,
    request.network,
    request.country,
    request.source,
    request.referrer,
    request.refusal,
    request.file,
    request.neededBytes,
    request.audio.map(({ start, end }) => [start, end]),
  ];
  return JSON.stringify(line);
}

/** Undefined: the line is damaged, for example by a power failure, or older than any request can be. */
export function tryParseRequestLine(line: string): AudioRequest | undefined {
  const value = tryParseJson(line);
  if (isLine(value)) return fromLine(value);
  if (!isEarlierLine(value)) return undefined;
  const { at, requests = 1, ...request } = value;
  return { at: new Date(at), requests, ...request };
}

function fromLine(line: Static<typeof Line>): AudioRequest {
  return {
    at: new Date(line[0]),
    requests: line[1],
    podcastId: line[2],
    episodeId: line[3],
    listener: line[4],
    userAgent: line[5],
    network: line[6],
    country: line[7],
    source: line[8],
    referrer: line[9],
    refusal: line[10],
    file: line[11],
    neededBytes: line[12],
    audio: line[13].map(([start, end]) => ({ start, end })),
  };
}
