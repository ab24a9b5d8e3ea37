import { hasReason } from '../api/errors.ts';
import { proposeReplacement } from '../api/recording.ts';
import {
  type SentFile,
  setAudio,
  setChaptersFile,
  setEpisodeArtwork,
  setPersonPhoto,
  setPodcastArtwork,
  setTranscriptFile,
} from '../api/uploads.ts';
import { idOfUrl, type UploadResult, type UploadTarget } from './upload-item.ts';

/**
 * Uses an uploaded file for its purpose. The server compares the checksum first, so a file that was
 * damaged on its way is never used.
 */
export async function finishUpload(
  url: string,
  target: UploadTarget,
  sha256: string,
): Promise<UploadResult> {
  const uploadId = idOfUrl(url);
  try {
    const sent = { upload_id: uploadId, sha256 };
    if (target.episodeId !== null && target.isReplacement === true) {
      await proposeReplacement(target.episodeId, sent);
      return { revision: undefined, uploadId };
    }
    const { revision, left_out: leftOut } = await put(target, sent);
    return { revision, uploadId, leftOut };
  } catch (error) {
    // The answer to an earlier request was lost.
    if (hasReason(error, 'used')) return { revision: undefined, uploadId };
    throw error;
  }
}

interface Used {
  readonly revision: number;
  readonly left_out?: UploadResult['leftOut'];
}

function put(target: UploadTarget, sent: SentFile): Promise<Used> {
  if (target.episodeId === null) {
    const { podcastId, personId } = target;
    if (personId === undefined) return setPodcastArtwork(podcastId, sent);
    return setPersonPhoto(podcastId, personId, sent);
  }
  const { episodeId, purpose, language } = target;
  switch (purpose) {
    case 'audio':
      return setAudio(episodeId, sent);
    case 'image':
      return setEpisodeArtwork(episodeId, sent);
    case 'transcript':
      return setTranscriptFile(episodeId, { ...sent, ...(language !== undefined && { language }) });
    case 'chapters':
      return setChaptersFile(episodeId, sent);
  }
}
