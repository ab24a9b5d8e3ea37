/** Exports everything of a show, to keep or to take elsewhere. Owns no table. */
export type { ExportContent, ExportEntry } from './episode-files.ts';
export { exportPodcast, type PodcastExport } from './export-podcast.ts';
