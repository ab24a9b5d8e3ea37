/** Exports everything of a show, to keep or to take elsewhere. Owns no table. */
export type { ExportContent, ExportEntry } from './episode-files.ts';
export { exportPodcast, type PodcastExport } from './export-podcast.ts';
export {
  type ExportedEpisode,
  selectExportedEpisodes,
  sumDownloadsOf,
} from './exported-episodes.sql.ts';
export {
  type ExportedTable,
  manifestName,
  rowsPath,
  type ShowManifest,
  tryReadManifest,
} from './show-manifest.ts';
export { rowsOfShow } from './show-rows.sql.ts';
export { type IdKind, ruleOf, showTables } from './show-tables.ts';
export { type OpenSnapshot, readShowRows } from './spool-show.ts';
export { type WrittenExport, writeExport } from './write-export.ts';
