import Type from 'typebox';
import { playerUrl } from '../../domain/addresses.ts';
import { notFound } from '../../domain/errors.ts';
import { sendBlob } from '../files/send-blob.ts';
import { type Caching, createPayload, type Payload } from '../payload.ts';
import { type Answer, defineRoute, type Route, type RouteInput } from '../route.ts';
import { jsonType } from '../send.ts';
import type { Web } from '../web.ts';
import { playerScript, playerScriptType, tryScriptKey } from './player-script.ts';

/** Short: what is mended in it reaches everyone within five minutes. */
const currentCaching: Caching = { cacheControl: 'public, max-age=300', vary: 'Accept-Encoding' };
const immutableCaching: Caching = {
  cacheControl: 'public, max-age=31536000, immutable',
  vary: 'Accept-Encoding',
};

const compress = (caching: Caching): Promise<Payload> =>
  createPayload(playerScriptType, playerScript.text, { caching, thorough: true });
const current = compress(currentCaching);
const immutable = compress(immutableCaching);

/** `/player/v1.js`, and each version under the name that its integrity belongs to. */
const scriptRoute = defineRoute({
  method: 'GET',
  path: '/player/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(web, { params: { file }, ...input }) {
    if (file === 'v1.js') return { kind: 'payload', payload: await current };
    if (file === playerScript.fileName) return { kind: 'payload', payload: await immutable };
    return answerEarlier(web, input, file);
  },
});

/** A version of before, or of another process while a new one is rolled out. */
async function answerEarlier(
  web: Web,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  file: string,
): Promise<Answer> {
  const key = tryScriptKey(file);
  const stat = key === undefined ? undefined : await web.ctx.blobs.stat(key);
  if (key === undefined || stat === undefined) throw notFound('version of the player');
  reply.header('Cache-Control', immutableCaching.cacheControl);
  const hash = file.slice('v1.'.length, -'.js'.length);
  const { sizeBytes } = stat;
  await sendBlob(web, request, reply, { key, hash, sizeBytes, contentType: playerScriptType });
  return { kind: 'sent' };
}

/** What a page needs that names this very version: for those who write embed codes. */
const versionRoute = defineRoute({
  method: 'GET',
  path: '/player/v1.json',
  access: 'public',
  async handle(web) {
    const hosts = web.ctx.installation;
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
