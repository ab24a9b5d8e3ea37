import Type from 'typebox';
import type { Context } from '../../domain/foundation/context.ts';
import { notFound, requireFound } from '../../domain/foundation/errors.ts';
import type { PublicPodcast } from '../../domain/public/catalogue/index.ts';
import {
  getPreviewAudio,
  getPreviewedEpisode,
  getPreviewImage,
  openPreview,
} from '../../domain/public/previews/index.ts';
import { findWaveform } from '../../domain/publishing/audio/index.ts';
import { imageVariantKey } from '../../domain/publishing/images/index.ts';
import { findChapters } from '../../domain/publishing/transcripts/index.ts';
import { keepPayload } from '../cache/cached.ts';
import { tryParseVariantName } from '../files/file-name.ts';
import { sendBlob, sendStored } from '../files/send-blob.ts';
import { writeChapters, writeTranscript, writeWaveform } from '../files/text-files.ts';
import type { HttpContext } from '../http-context.ts';
import type { Build } from '../limits/large-builds.ts';
import { findPageTranscript } from '../pages/listen/transcript-section.ts';
import { createPagePayload, pageType } from '../pages/page.ts';
import { createPayload, noStore, type Payload } from '../responses/payload.ts';
import { jsonType } from '../responses/send.ts';
import { divideHeaders, withTrainingHeaders } from '../responses/training-headers.ts';
import { clientLeaves } from '../responses/while-awaited.ts';
import { defineRoute, type Route } from '../route.ts';
import { renderPreviewPage } from './preview-page.ts';

/** Anybody with the link may see a preview. Nothing here is counted, or cached by others. */
const caching = { cacheControl: noStore, vary: 'Accept-Encoding' };
/** A preview's address contains its token, so links must not send it as the referrer. */
const previewHeaders = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' };
const token = Type.String();
/** A draft has the present time as its date. */
const keptMs = 60_000;

const pageRoute = defineRoute({
  method: 'GET',
  path: '/preview/:token',
  access: 'public',
  params: Type.Object({ token }),
  async handle(http, { params: { token }, reply }) {
    const { podcastId, episodeId } = await openPreview(http.ctx, token);
    const show = await http.podcasts.find(podcastId);
    const kept = new Date(http.ctx.clock.now().getTime() + keptMs);
    const { nextChangeAt: next } = show;
    const { value: payload } = await keepPayload(
      http,
      show,
      `preview ${token}`,
      async (waiters) => {
        using build = http.largeBuilds.begin(show.id, waiters);
        return await drawPreview(http, build, show, { token, episodeId });
      },
      { validUntil: next !== null && next < kept ? next : kept, leaving: clientLeaves(reply) },
    );
    return { kind: 'payload', payload };
  },
});

async function drawPreview(
  http: HttpContext,
  build: Build,
  show: PublicPodcast,
  { token, episodeId }: { readonly token: string; readonly episodeId: string },
): Promise<Payload> {
  const episode = await getPreviewedEpisode(http.ctx, show, episodeId);
  const chapters = (await findChapters(http.ctx, episodeId)) ?? [];
  const transcript = await findPageTranscript(http.ctx, build, episodeId, 'all');
  const hasWaveform = (await findWaveform(http.ctx, episodeId)) !== undefined;
  const content = { token, show, episode, chapters, transcript, hasWaveform };
  const page = await renderPreviewPage(http.ctx.installation, content);
  return createPagePayload(page, show, caching);
}

const audioRoute = defineRoute({
  method: 'GET',
  path: '/preview/:token/audio',
  access: 'public',
  params: Type.Object({ token }),
  async handle(http, { params, request, reply }) {
    const audio = await getPreviewAudio(http.ctx, params.token);
    const { podcastId, blobKey, sourceUrl, sha256, sizeBytes, contentType } = audio;
    reply.headers(withTrainingHeaders(previewHeaders, await http.podcasts.find(podcastId)));
    if (blobKey === null || sha256 === null || sizeBytes === null) {
      return { kind: 'redirect', status: 302, location: sourceUrl ?? '', caching };
    }
    reply.header('Cache-Control', noStore);
    await sendBlob(http, request, reply, { key: blobKey, hash: sha256, sizeBytes, contentType });
    return { kind: 'sent' };
  },
});

const imageRoute = defineRoute({
  method: 'GET',
  path: '/preview/:token/images/:imageId/:file',
  access: 'public',
  params: Type.Object({ token, imageId: Type.String(), file: Type.String() }),
  async handle(http, { params: { token, imageId, file }, request, reply }) {
    const width = requireFound(tryParseVariantName(file), 'preview');
    const { podcastId, sha256: hash } = await getPreviewImage(http.ctx, token, imageId);
    const key = imageVariantKey(imageId.toLowerCase(), width);
    reply.headers(withTrainingHeaders(previewHeaders, await http.podcasts.find(podcastId)));
    reply.header('Cache-Control', noStore);
    const copy = { key, hash, contentType: 'image/jpeg' };
    if (!(await sendStored(http, request, reply, copy))) throw notFound('preview');
    return { kind: 'sent' };
  },
});

const files = {
  'chapters.json': {
    contentType: jsonType,
    write: (ctx: Context, _build: Build, id: string) => writeChapters(ctx, id),
  },
  'waveform.json': {
    contentType: jsonType,
    write: (ctx: Context, _build: Build, id: string) => writeWaveform(ctx, id),
  },
  'transcript.vtt': {
    contentType: 'text/vtt; charset=utf-8',
    write: (ctx: Context, build: Build, id: string) => writeTranscript(ctx, build, id, 'vtt'),
  },
  'transcript.html': {
    contentType: pageType,
    write: (ctx: Context, build: Build, id: string) => writeTranscript(ctx, build, id, 'html'),
  },
} as const;

/** What the player loads besides the audio. */
const fileRoute = defineRoute({
  method: 'GET',
  path: '/preview/:token/:file',
  access: 'public',
  params: Type.Object({ token, file: Type.String() }),
  async handle(http, { params, reply }) {
    const { podcastId, episodeId } = await openPreview(http.ctx, params.token);
    const name = Object.keys(files).find((each) => each === params.file);
    const { contentType, write } = files[requireFound(name, 'preview') as keyof typeof files];
    const headers = divideHeaders(previewHeaders, await http.podcasts.find(podcastId));
    using build = http.largeBuilds.begin(podcastId, clientLeaves(reply));
    const text = await write(http.ctx, build, episodeId);
    const payload = await createPayload(contentType, text, { ...headers, caching });
    return { kind: 'payload', payload };
  },
});

export const previewRoutes: readonly Route[] = [pageRoute, audioRoute, imageRoute, fileRoute];
