import type { Static } from 'typebox';
import { imageUrl } from '../../../domain/foundation/addresses.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import type { AttachedImage } from '../../../domain/publishing/images/index.ts';
import {
  useAudioUpload,
  useChaptersUpload,
  useEpisodeArtwork,
  usePersonPhoto,
  usePodcastArtwork,
  useTranscriptUpload,
} from '../../../domain/publishing/uploads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { revised } from '../response.ts';
import { readExpectation } from '../revision.ts';
import {
  Artwork,
  Chapters,
  Transcript,
  UploadedAudio,
  UseTranscript,
  UseUpload,
} from '../schemas/uploads.ts';

const episodePath = '/app/api/episodes/:episodeId';
const podcastPath = '/app/api/podcasts/:podcastId';

/** Finished uploads become parts of an episode or a show. */
export const uploadUseRoutes: readonly Route[] = [
  defineEndpoint(`PUT ${episodePath}/audio`, {
    id: 'setAudio',
    summary: "Uses an uploaded file as an episode's audio",
    body: { json: UseUpload },
    response: revised(UploadedAudio),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      const used = await useAudioUpload(ctx, sent, readExpectation(request));
      return wireNames({ ...used, durationSeconds: used.durationMs / 1000 });
    },
  }),
  defineEndpoint(`PUT ${episodePath}/artwork`, {
    id: 'setEpisodeArtwork',
    summary: "Uses an uploaded picture as an episode's artwork",
    body: { json: UseUpload },
    response: revised(Artwork),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      return presentArtwork(ctx, await useEpisodeArtwork(ctx, sent, readExpectation(request)));
    },
  }),
  defineEndpoint(`PUT ${podcastPath}/artwork`, {
    id: 'setPodcastArtwork',
    summary: "Uses an uploaded picture as a show's artwork",
    body: { json: UseUpload },
    response: revised(Artwork),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      return presentArtwork(ctx, await usePodcastArtwork(ctx, sent, readExpectation(request)));
    },
  }),
  defineEndpoint(`PUT ${podcastPath}/people/:personId/photo`, {
    id: 'setPersonPhoto',
    summary: 'Uses an uploaded picture as the photo of a person whom a show credits',
    body: { json: UseUpload },
    response: revised(Artwork),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      return presentArtwork(ctx, await usePersonPhoto(ctx, sent, readExpectation(request)));
    },
  }),
  defineEndpoint(`PUT ${episodePath}/transcript`, {
    id: 'setTranscript',
    summary: "Uses an uploaded file as an episode's transcript",
    body: { json: UseTranscript },
    response: revised(Transcript),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body), language: body.language };
      return wireNames(await useTranscriptUpload(ctx, sent, readExpectation(request)));
    },
  }),
  defineEndpoint(`PUT ${episodePath}/chapters-file`, {
    id: 'setChaptersFile',
    summary: "Uses an uploaded file as an episode's chapters",
    body: { json: UseUpload },
    response: revised(Chapters),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      return wireNames(await useChaptersUpload(ctx, sent, readExpectation(request)));
    },
  }),
];

const readSent = ({ upload_id: uploadId, sha256 }: Static<typeof UseUpload>) => ({
  uploadId,
  sha256,
});

function presentArtwork(
  { installation }: Context,
  { contentType, ...image }: AttachedImage & { readonly revision: number },
): Static<typeof Artwork> {
  return { ...image, url: imageUrl(installation, { contentType, ...image }) };
}
