import Type from 'typebox';
import { playerUrl } from '../../domain/foundation/addresses.ts';
import { notFound } from '../../domain/foundation/errors.ts';
import { sendBlob } from '../files/send-blob.ts';
import type { HttpContext } from '../http-context.ts';
import {
  type Caching,
  createPayload,
  immutableCaching,
  type Payload,
} from '../responses/payload.ts';
import { jsonType } from '../responses/send.ts';
import { defineRoute, type Route, type RouteInput, type RouteResponse } from '../route.ts';
import {
  listenScript,
  type PlayerFile,
  playerScript,
  playerWords,
  tryReadFileName,
  visitScript,
} from './player-script.ts';

/** Short, so that fixes reach everyone within five minutes. */
const currentCaching: Caching = { cacheControl: 'public, max-age=300', vary: 'Accept-Encoding' };

const compress = ({ text, contentType }: PlayerFile, caching: Caching): Promise<Payload> =>
  createPayload(contentType, text, { caching, thorough: true });
const current = compress(playerScript, currentCaching);
const immutable = new Map(
  [playerScript, visitScript, listenScript, ...playerWords].map((file) => [
    file.fileName,
    compress(file, immutableCaching),
  ]),
);

/**
 * `/player/v1.js`, and every version of the script and its translations under the name with its
 * hash.
 */
const scriptRoute = defineRoute({
  method: 'GET',
  path: '/player/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params: { file }, ...input }) {
    if (file === 'v1.js') return { kind: 'payload', payload: await current };
    const known = immutable.get(file);
    if (known !== undefined) return { kind: 'payload', payload: await known };
    return respondWithEarlier(http, input, file);
  },
});

/** An earlier version, or one of another process during a rolling update. */
async function respondWithEarlier(
  http: HttpContext,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  file: string,
): Promise<RouteResponse> {
  const kept = tryReadFileName(file);
  const stat = kept === undefined ? undefined : await http.ctx.blobs.stat(kept.key);
  if (kept === undefined || stat === undefined) throw notFound('version of the player');
  reply.header('Cache-Control', immutableCaching.cacheControl);
  await sendBlob(http, request, reply, { ...kept, sizeBytes: stat.sizeBytes });
  return { kind: 'sent' };
}

/** The data that pages need to pin this version; for authors of embed codes. */
const versionRoute = defineRoute({
  method: 'GET',
  path: '/player/v1.json',
  access: 'public',
  async handle(http) {
    const hosts = http.ctx.installation;
    const { fileName, integrity } = playerScript;
    const body = {
      version: 1,
      url: playerUrl(hosts),
      immutable_url: playerUrl(hosts, fileName),
      integrity,
    };
    return {
      kind: 'text',
      contentType: jsonType,
      text: JSON.stringify(body),
      caching: currentCaching,
    };
  },
});

export const scriptRoutes: readonly Route[] = [versionRoute, scriptRoute];
