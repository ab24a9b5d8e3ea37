import type { Static } from 'typebox';
import Type from 'typebox';
import { imageUrl } from '../../../domain/foundation/addresses.ts';
import type { Context } from '../../../domain/foundation/context.ts';
import { uploadPurposes } from '../../../domain/foundation/enumerations.ts';
import type { AttachedImage } from '../../../domain/publishing/images/index.ts';
import {
  getUpload,
  listUploads,
  removeUpload,
  useAudioUpload,
  useChaptersUpload,
  useEpisodeArtwork,
  useHeaderImage,
  usePersonPhoto,
  usePodcastArtwork,
  useTranscriptUpload,
} from '../../../domain/publishing/uploads/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, id, moment, named, nullable } from '../field-schemas.ts';
import { ok, revised, written } from '../response.ts';
import { readExpectation } from '../revision.ts';
import { exchangeTus, uploadsPath } from '../uploads/exchange-tus.ts';

const Upload = Type.Object(
  {
    id,
    purpose: Type.Enum([...uploadPurposes], { type: 'string' }),
    podcast_id: id,
    episode_id: nullable(id),
    filename: Type.String(),
    size_bytes: Type.Integer(),
    received_bytes: Type.Integer(),
    created_at: moment,
    expires_at: moment,
  },
  { $id: 'Upload', description: 'A file that is not part of a podcast yet.' },
);

const upload_id = Type.String({ ...id, description: 'A finished upload of the user.' });

const sha256 = Type.Optional(
  Type.String({
    pattern: '^[0-9a-fA-F]{64}$',
    description: 'The hash of the whole file; other content is refused.',
  }),
);

export const UseUpload = closed({ upload_id, sha256 });

const UseTranscript = closed({
  upload_id,
  sha256,
  language: Type.Optional(
    Type.String({ description: "Default: the file's language, or the show's." }),
  ),
});

const revision = Type.Integer({ description: 'The current revision of the episode or show.' });

const UploadedAudio = named('UploadedAudio', {
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  duration_seconds: Type.Number(),
  sha256: Type.String({
    description: 'The hash of the received file, to compare with the sent one.',
  }),
  revision,
});

const Artwork = named('UploadedArtwork', {
  id,
  url: Type.String(),
  width: Type.Integer(),
  height: Type.Integer(),
  revision,
});

/** The parts of a file that could not be used. */
const LeftOut = Type.Object({
  count: Type.Integer(),
  examples: Type.Array(Type.String(), {
    description: 'The first of them, as in the file but shortened.',
  }),
});

const Transcript = named('UploadedTranscript', {
  language: Type.String(),
  has_times: Type.Boolean({ description: 'False: it is published as text, not as captions.' }),
  segment_count: Type.Integer(),
  word_count: Type.Integer(),
  left_out: LeftOut,
  revision,
});

const Chapters = named('UploadedChapters', {
  chapter_count: Type.Integer(),
  left_out: LeftOut,
  revision,
});

const onePath = `${uploadsPath}/:uploadId` as const;

/** Files in pieces, by the tus protocol 1.0: creation, termination, expiration. */
export const uploadRoutes: readonly Route[] = [
  defineEndpoint(`GET ${uploadsPath}`, {
    id: 'listUploads',
    summary: "The user's uploads that are not part of a podcast yet",
    response: ok(Type.Array(Upload)),
    handle: async ({ ctx }) => wireNames(await listUploads(ctx)),
  }),
  defineEndpoint(`POST ${uploadsPath}`, {
    id: 'createUpload',
    summary: 'Begins an upload, as in tus',
    body: 'stream',
    response: written({ 201: { description: 'Created: its URL is in Location' } }),
    handle: ({ ctx, session: { userId } }, { http, ...exchange }) =>
      exchangeTus(http, { ...exchange, ctx, userId }),
  }),
  defineEndpoint(`GET ${onePath}`, {
    id: 'getUpload',
    summary: 'An upload; HEAD returns its offset, as in tus',
    response: written(ok(Upload).responses),
    async handle({ ctx, session: { userId } }, { http, params: { uploadId }, ...exchange }) {
      if (exchange.request.method === 'HEAD')
        return exchangeTus(http, { ...exchange, ctx, userId });
      return ok(Upload).respond(wireNames(await getUpload(ctx, uploadId)));
    },
  }),
  defineEndpoint(`PATCH ${onePath}`, {
    id: 'appendToUpload',
    summary: 'Continues an upload, as in tus',
    body: 'stream',
    response: written({
      204: { description: 'Received: Upload-Offset is the number of bytes so far' },
    }),
    handle: ({ ctx, session: { userId } }, { http, ...exchange }) =>
      exchangeTus(http, { ...exchange, ctx, userId }),
  }),
  defineEndpoint(`DELETE ${onePath}`, {
    id: 'removeUpload',
    summary: 'Cancels an upload and removes its bytes',
    async handle({ ctx }, { reply, params: { uploadId } }) {
      await removeUpload(ctx, uploadId);
      reply.header('Tus-Resumable', '1.0.0');
    },
  }),
];

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
  defineEndpoint(`PUT ${podcastPath}/header-image`, {
    id: 'setHeaderImage',
    summary: "Uses an uploaded picture behind the title on a show's page",
    body: { json: UseUpload },
    response: revised(Artwork),
    mayBeAbandoned: true,
    async handle({ ctx }, { params, body, request }) {
      const sent = { ...params, ...readSent(body) };
      return presentArtwork(ctx, await useHeaderImage(ctx, sent, readExpectation(request)));
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
