/**
 * Changes of podcasts and episodes, under the names of seed files. `seeding` reads its entries with the
 * same fields, schemas and files.
 */

export { episodeElementSchemas, podcastElementSchemas } from './edited-elements.ts';
export {
  episodeSchemas,
  podcastSchemas,
  readEpisodeFields,
  readPodcastFields,
} from './edited-fields.ts';
export {
  changeEpisode,
  checkEpisodeChange,
  type EpisodeChange,
  episodeChangeFields,
  readEpisodeChange,
} from './episode-change.ts';
export { attachFiles, type EpisodeFiles, readOtherTranscripts } from './episode-files.ts';
export {
  readBounded,
  readNamedChapters,
  readNamedImage,
  readTranscript,
  type SeedFolder,
  storeAudio,
  tryExplainFile,
  tryField,
} from './named-files.ts';
export {
  addPodcast,
  changePodcast,
  checkPodcastChange,
  type PodcastChange,
  podcastChangeFields,
  readPerson,
  readPodcastChange,
} from './podcast-change.ts';
export { compileSchema, type TypedValues } from './read-values.ts';
export {
  AudioEntry,
  ChaptersEntry,
  entry,
  list,
  Moment,
  NullableMoment,
  NullablePath,
  NullableText,
  NullableWhole,
  nullable,
  OtherTranscriptEntry,
  oneOf,
  personProperties,
  Text,
  TranscriptEntry,
} from './schema-parts.ts';
