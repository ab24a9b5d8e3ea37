import { Ajv } from 'ajv';
import Type, { type Static } from 'typebox';
import { tryParseJson } from '../../../../lib/parse-json.ts';
import {
  type AudioRequest,
  downloadSources,
  firstRequestMs,
  refusedRequests,
  rejectionReasons,
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
  file: Type.String({ pattern: '^[0-9a-f]{16}$' }),
};

/**
 * The number of the format of these lines. A change that earlier versions cannot read takes the next
 * number, and continues to read the lines of all lower ones.
 */
export const requestLineFormat = 3;

/** A list of values costs a third of the time that an object with names costs. */
const Line = Type.Tuple([
  fields.at,
  fields.requests,
  /* podcastId */ text,
  /* episodeId */ text,
  fields.listener,
  /* addressHash */
  Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: '^[0-9a-f]{16}$' }),
  /* userAgent */ nullableText,
  fields.network,
  /* country */ nullableText,
  fields.source,
  /* referrer */ nullableText,
  fields.file,
  /* neededBytes */ position,
  /* audio: first and last bytes */ Type.Array(Type.Tuple([position, position])),
]);

/** Requests of which only the number is kept. */
const RefusedLine = Type.Tuple([
  fields.at,
  fields.requests,
  /* podcastId */ text,
  /* episodeId */ text,
  Type.Enum([...rejectionReasons]),
]);

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const isLine = ajv.compile<Static<typeof Line>>(Line);
const isRefusedLine = ajv.compile<Static<typeof RefusedLine>>(RefusedLine);

/** A request as a line of the journal: JSON without line breaks. */
export function formatRequestLine(request: AudioRequest): string {
  const { at, requests, podcastId, episodeId, refusal } = request;
  if (refusal !== null) {
    const refused: Static<typeof RefusedLine> = [
      ...([at.getTime(), requests, podcastId, episodeId] as const),
      refusal,
    ];
    return JSON.stringify(refused);
  }
  const line: Static<typeof Line> = [
    at.getTime(),
    requests,
    podcastId,
    episodeId,
    request.listener,
    request.addressHash,
    request.userAgent,
    request.network,
    request.country,
    request.source,
    request.referrer,
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
  if (!isRefusedLine(value)) return undefined;
  const [at, requests, podcastId, episodeId, refusal] = value;
  return refusedRequests({ at: new Date(at), podcastId, episodeId }, refusal, requests);
}

function fromLine(line: Static<typeof Line>): AudioRequest {
  return {
    at: new Date(line[0]),
    requests: line[1],
    podcastId: line[2],
    episodeId: line[3],
    listener: line[4],
    addressHash: line[5],
    userAgent: line[6],
    network: line[7],
    country: line[8],
    source: line[9],
    referrer: line[10],
    refusal: null,
    file: line[11],
    neededBytes: line[12],
    audio: line[13].map(([start, end]) => ({ start, end })),
  };
}
