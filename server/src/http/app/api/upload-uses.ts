import type { Static, TSchema } from 'typebox';
import { imageUrl } from '../../../domain/addresses.ts';
import type { Context } from '../../../domain/context.ts';
import type { AttachedImage } from '../../../domain/media/index.ts';
import type { Expectation } from '../../../domain/revisions/index.ts';
import {
  useAudioUpload,
  useChaptersUpload,
  useEpisodeArtwork,
  usePersonPhoto,
  usePodcastArtwork,
  useTranscriptUpload,
} from '../../../domain/uploads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { HttpContext } from '../../http-context.ts';
import { defineRoute, type Route } from '../../route.ts';
import { forSignedIn } from '../requester.ts';
import { ok } from '../responses.ts';
import { answerRevision, readExpectation } from '../revision.ts';
import { ids } from '../schemas/fields.ts';
import {
  Artwork,
  Chapters,
  Transcript,
  UploadedAudio,
  UseTranscript,
  UseUpload,
} from '../schemas/uploads.ts';

const ofEpisode = { ...forSignedIn, method: 'PUT', params: ids('episodeId') } as const;
const episodePath = '/app/api/episodes/:episodeId';

interface EpisodeUse {
  readonly part: string;
  readonly id: string;
  readonly summary: string;
  readonly data: TSchema;
  use(http: HttpContext, ctx: Context, sent: EpisodeFile, expectation: Expectation): Promise<Used>;
}
type EpisodeFile = ReturnType<typeof readSent> & { readonly episodeId: string };
type Used = { readonly revision: number };

/** What asks for nothing but the file. */
const defineEpisodeUse = ({ part, id, summary, data, use }: EpisodeUse) =>
  defineRoute({
    ...ofEpisode,
    path: `${episodePath}/${part}`,
    body: { json: UseUpload },
    operation: { id, summary, responses: ok(data) },
    async handle(http, { caller: { ctx }, params: { episodeId }, body, request }) {
      const sent = { episodeId, ...readSent(body) };
      return answerRevision(await use(http, ctx, sent, readExpectation(request)));
    },
  });

/** Finished uploads become parts of an episode or a show. */
export const uploadUseRoutes: readonly Route[] = [
  defineEpisodeUse({
    part: 'audio',
    id: 'setAudio',
    summary: 'Makes an uploaded file the audio of an episode',
    data: UploadedAudio,
    async use(_http, ctx, sent, expectation) {
      const used = await useAudioUpload(ctx, sent, expectation);
      return wireNames({ ...used, durationSeconds: used.durationMs / 1000 });
    },
  }),
  defineEpisodeUse({
    part: 'artwork',
    id: 'setEpisodeArtwork',
    summary: 'Makes an uploaded picture the artwork of an episode',
    data: Artwork,
    use: async (http, ctx, sent, expectation) =>
      presentArtwork(http, await useEpisodeArtwork(ctx, sent, expectation)),
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path: '/app/api/podcasts/:podcastId/artwork',
    params: ids('podcastId'),
    body: { json: UseUpload },
    operation: {
      id: 'setPodcastArtwork',
      summary: 'Makes an uploaded picture the artwork of a show',
      responses: ok(Artwork),
    },
    async handle(http, { caller: { ctx }, params: { podcastId }, body, request }) {
      const sent = { podcastId, ...readSent(body) };
      const used = await usePodcastArtwork(ctx, sent, readExpectation(request));
      return answerRevision(presentArtwork(http, used));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path: '/app/api/podcasts/:podcastId/people/:personId/photo',
    params: ids('podcastId', 'personId'),
    body: { json: UseUpload },
    operation: {
      id: 'setPersonPhoto',
      summary: 'Makes an uploaded picture the photo of somebody whom a show credits',
      responses: ok(Artwork),
    },
    async handle(http, { caller: { ctx }, params, body, request }) {
      const use = { ...params, ...readSent(body) };
      return answerRevision(
        presentArtwork(http, await usePersonPhoto(ctx, use, readExpectation(request))),
      );
    },
  }),
  defineRoute({
    ...ofEpisode,
    path: `${episodePath}/transcript`,
    body: { json: UseTranscript },
    operation: {
      id: 'setTranscript',
      summary: 'Makes an uploaded file the transcript of an episode',
      responses: ok(Transcript),
    },
    async handle(_http, { caller: { ctx }, params: { episodeId }, body, request }) {
      const use = { episodeId, ...readSent(body), language: body.language };
      return answerRevision(
        wireNames(await useTranscriptUpload(ctx, use, readExpectation(request))),
      );
    },
  }),
  defineEpisodeUse({
    part: 'chapters-file',
    id: 'setChaptersFile',
    summary: 'Makes an uploaded file the chapters of an episode',
    data: Chapters,
    use: async (_http, ctx, sent, expectation) =>
      wireNames(await useChaptersUpload(ctx, sent, expectation)),
  }),
];

const readSent = ({ upload_id: uploadId, sha256 }: Static<typeof UseUpload>) => ({
  uploadId,
  sha256,
});

function presentArtwork(
  { ctx }: HttpContext,
  { contentType, ...image }: AttachedImage & { readonly revision: number },
): Static<typeof Artwork> {
  return { ...image, url: imageUrl(ctx.installation, { contentType, ...image }) };
}
