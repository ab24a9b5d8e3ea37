import { api, bodyOf, dataOf } from './client.ts';

/** A finished upload, with the expected hash of its bytes. */
export interface SentFile {
  readonly upload_id: string;
  readonly sha256: string;
}

/** A file replaces another of the same kind, whatever else of the episode has since changed. */
const overwrite = { 'If-Match': '*' };

const toEpisode = (episodeId: string, body: SentFile) => ({
  params: { path: { episodeId } },
  headers: overwrite,
  body,
});

export const setAudio = (episodeId: string, body: SentFile) =>
  dataOf(api.PUT('/app/api/episodes/{episodeId}/audio', toEpisode(episodeId, body)));

export const setEpisodeArtwork = (episodeId: string, body: SentFile) =>
  dataOf(api.PUT('/app/api/episodes/{episodeId}/artwork', toEpisode(episodeId, body)));

export const setPodcastArtwork = (podcastId: string, body: SentFile) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/artwork', {
      params: { path: { podcastId } },
      headers: overwrite,
      body,
    }),
  );

export const setHeaderImage = (podcastId: string, body: SentFile) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/header-image', {
      params: { path: { podcastId } },
      headers: overwrite,
      body,
    }),
  );

export const setPersonPhoto = (podcastId: string, personId: string, body: SentFile) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/people/{personId}/photo', {
      params: { path: { podcastId, personId } },
      headers: overwrite,
      body,
    }),
  );

export const setTranscriptFile = (
  episodeId: string,
  body: SentFile & { readonly language?: string },
) => dataOf(api.PUT('/app/api/episodes/{episodeId}/transcript', toEpisode(episodeId, body)));

export const setChaptersFile = (episodeId: string, body: SentFile) =>
  dataOf(api.PUT('/app/api/episodes/{episodeId}/chapters-file', toEpisode(episodeId, body)));

export const removeUpload = (uploadId: string) =>
  bodyOf(api.DELETE('/app/api/uploads/{uploadId}', { params: { path: { uploadId } } }));
