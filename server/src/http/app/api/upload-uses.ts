import type { Static } from 'typebox';
import { imageUrl } from '../../../domain/addresses.ts';
import type { AttachedImage } from '../../../domain/media/index.ts';
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

/** Finished uploads become parts of an episode or a show. */
export const uploadUseRoutes: readonly Route[] = [
  defineRoute({
    ...ofEpisode,
    path: `${episodePath}/audio`,
    body: { json: UseUpload },
    operation: {
      id: 'setAudio',
      summary: 'Makes an uploaded file the audio of an episode',
      responses: ok(UploadedAudio),
    },
    async handle(_http, { caller: { ctx }, params: { episodeId }, body, request }) {
      const sent = readSent(body);
      const expectation = readExpectation(request);
      const used = await useAudioUpload(ctx, { episodeId, ...sent }, expectation);
      return answerRevision(wireNames({ ...used, durationSeconds: used.durationMs / 1000 }));
    },
  }),
  defineRoute({
    ...ofEpisode,
    path: `${episodePath}/artwork`,
    body: { json: UseUpload },
    operation: {
      id: 'setEpisodeArtwork',
      summary: 'Makes an uploaded picture the artwork of an episode',
      responses: ok(Artwork),
    },
    async handle(http, { caller: { ctx }, params: { episodeId }, body, request }) {
      const sent = readSent(body);
      const used = await useEpisodeArtwork(ctx, { episodeId, ...sent }, readExpectation(request));
      return answerRevision(presentArtwork(http, used));
    },
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
      const sent = readSent(body);
      const used = await usePodcastArtwork(ctx, { podcastId, ...sent }, readExpectation(request));
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
      const expectation = readExpectation(request);
      const use = { episodeId, ...readSent(body), language: body.language };
      return answerRevision(wireNames(await useTranscriptUpload(ctx, use, expectation)));
    },
  }),
  defineRoute({
    ...ofEpisode,
    path: `${episodePath}/chapters-file`,
    body: { json: UseUpload },
    operation: {
      id: 'setChaptersFile',
      summary: 'Makes an uploaded file the chapters of an episode',
      responses: ok(Chapters),
    },
    async handle(_http, { caller: { ctx }, params: { episodeId }, body, request }) {
      const sent = readSent(body);
      const expectation = readExpectation(request);
      const used = await useChaptersUpload(ctx, { episodeId, ...sent }, expectation);
      return answerRevision(wireNames(used));
    },
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
