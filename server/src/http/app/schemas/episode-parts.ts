import Type from 'typebox';
import { maxChars } from '../../../lib/limits.ts';
import { closed, id, named, nullable } from './fields.ts';

const text = Type.String();
const revision = Type.Integer({ description: 'The revision of the episode.' });

const KnownPerson = named('KnownPerson', {
  id,
  name: text,
  role: text,
  group: text,
  roster: Type.Boolean(),
  link_url: nullable(text),
  photo_url: nullable(text),
});

/** Empty `people`: the episode has the show's roster. */
export const EpisodePeople = named('EpisodePeople', {
  people: Type.Array(Type.Object({ person_id: id, name: text, role: text, group: text })),
  known: Type.Array(KnownPerson),
  revision,
});

/** A known person, or a name, which may be that of a new person. */
export const SetEpisodePeople = closed({
  people: Type.Array(
    closed({
      person_id: Type.Optional(id),
      name: Type.Optional(text),
      role: Type.Optional(text),
      group: Type.Optional(text),
    }),
    { maxItems: 200 },
  ),
});

const chapter = {
  start_seconds: Type.Number(),
  end_seconds: Type.Optional(nullable(Type.Number())),
  title: Type.Optional(nullable(text)),
  image_url: Type.Optional(nullable(text)),
  link_url: Type.Optional(nullable(text)),
  hidden: Type.Optional(Type.Boolean()),
};

export const Chapter = Type.Object({
  start_seconds: Type.Number(),
  end_seconds: nullable(Type.Number()),
  title: nullable(text),
  image_url: nullable(text),
  link_url: nullable(text),
  hidden: Type.Boolean(),
});

/** The chapters in the tags of the audio file. */
export const FileChapters = named('FileChapters', {
  chapters: Type.Array(
    Type.Object({
      ...Chapter.properties,
      has_image: Type.Boolean({ description: 'The file contains a picture, which stays in it.' }),
    }),
  ),
});

export const EpisodeChapters = named('EpisodeChapters', {
  chapters: Type.Array(Chapter),
  revision,
});

export const SetEpisodeChapters = closed({ chapters: Type.Array(closed(chapter)) });

export const EpisodeTranscript = named('EpisodeTranscript', {
  language: text,
  has_times: Type.Boolean({
    description: 'False: it has the words, but no times. Every segment starts and ends at 0.',
  }),
  segments: Type.Array(
    Type.Object({
      index: Type.Integer(),
      start_seconds: Type.Number(),
      end_seconds: Type.Number(),
      speaker: text,
      text,
    }),
  ),
  revision,
});

export const EditTranscript = closed({
  changes: Type.Array(
    closed({
      index: Type.Integer({ minimum: 0, maximum: 100_000 }),
      text: Type.Optional(Type.String({ maxLength: maxChars.editedSegment })),
      speaker: Type.Optional(text),
    }),
    { minItems: 1, maxItems: 1000 },
  ),
});

/** The present state of the segments in the request. */
export const EditedTranscript = named('EditedTranscript', {
  segments: Type.Array(Type.Object({ index: Type.Integer(), speaker: text, text })),
  revision,
});
