import Type from 'typebox';
import { uploadPurposes } from '../../../domain/foundation/enumerations.ts';
import { closed, id, moment, named, nullable } from './fields.ts';

export const Upload = Type.Object(
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

export const UseTranscript = closed({
  upload_id,
  sha256,
  language: Type.Optional(
    Type.String({ description: "Default: the file's language, or the show's." }),
  ),
});

const revision = Type.Integer({ description: 'The current revision of the episode or show.' });

export const UploadedAudio = named('UploadedAudio', {
  content_type: Type.String(),
  size_bytes: Type.Integer(),
  duration_seconds: Type.Number(),
  sha256: Type.String({
    description: 'The hash of the received file, to compare with the sent one.',
  }),
  revision,
});

export const Artwork = named('UploadedArtwork', {
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

export const Transcript = named('UploadedTranscript', {
  language: Type.String(),
  has_times: Type.Boolean({ description: 'False: it is published as text, not as captions.' }),
  segment_count: Type.Integer(),
  word_count: Type.Integer(),
  left_out: LeftOut,
  revision,
});

export const Chapters = named('UploadedChapters', {
  chapter_count: Type.Integer(),
  left_out: LeftOut,
  revision,
});
