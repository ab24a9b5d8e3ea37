import { isSlug } from '../../../lib/slug.ts';
import { isWebUrl } from '../../../lib/web-url.ts';
import { type ExportedTable, rowsPath, ruleOf } from '../exports/index.ts';
import { RestoredIds } from './restored-ids.ts';
import { damaged, type ExportedRow, type ShowExport } from './show-export.ts';

/** A file of the export, by its row. */
export interface ExportedFile {
  /** Of the episode, or of the picture. */
  readonly id: string;
  readonly path: string;
  readonly contentType: string;
  readonly sha256: string;
}

/** What has to be known of all rows before the first one is restored. */
export interface Survey {
  readonly ids: RestoredIds;
  readonly audio: readonly ExportedFile[];
  readonly images: readonly ExportedFile[];
  readonly episodes: number;
}

/** Reads all rows once. Throws if they are not what the manifest says. */
export async function surveyRows(show: ShowExport, signal?: AbortSignal): Promise<Survey> {
  const ids = new RestoredIds();
  const audio: ExportedFile[] = [];
  const images: ExportedFile[] = [];
  const slugs = new Map<string, string>();
  for (const table of show.tables) {
    const read = columnReader(table.columns);
    for await (const rows of show.readRows(table)) {
      signal?.throwIfAborted();
      for (const row of rows) {
        noteIds(ids, table, row);
        refuseOtherUrls(table, row);
        if (table.name === 'episodes') slugs.set(read(row, 'id'), read(row, 'slug'));
        if (table.name === 'images') images.push(describeImage(row, read));
        // `episodes` came before.
        if (table.name === 'audio_files' && read(row, 'blob_key', 'no') !== 'no')
          audio.push(describeAudio(row, read, slugs));
      }
    }
  }
  const podcasts = show.tables.find(({ name }) => name === 'podcasts');
  if (podcasts?.rows !== 1 || ids.only('podcast') !== show.manifest.podcast_id)
    throw damaged(`${rowsPath('podcasts')} is not one show, to which everything belongs`);
  return { ids, audio, images, episodes: slugs.size };
}

type ReadColumn = (row: ExportedRow, column: string, missing?: string) => string;

/** Reads a column by its name. `missing` for null and for a column that the export does not have. */
export function columnReader(columns: readonly string[]): ReadColumn {
  return (row, column, missing = '') => row[columns.indexOf(column)] ?? missing;
}

function noteIds(ids: RestoredIds, { name, columns }: ExportedTable, row: ExportedRow): void {
  for (const [column, kind] of Object.entries(ruleOf(name).ids)) {
    const id = row[columns.indexOf(column)] ?? null;
    if (id !== null && !ids.note(kind, id))
      throw damaged(`${rowsPath(name)} has something else than an id in ${column}`);
  }
}

/** Pages link to such addresses, and redirects lead to them. */
function refuseOtherUrls({ name, columns }: ExportedTable, row: ExportedRow): void {
  for (const [at, column] of columns.entries()) {
    const url = row[at] ?? null;
    if (url === null || !/(?:^|_)url$/.test(column) || isWebUrl(url)) continue;
    throw damaged(`${rowsPath(name)} has something else than a web address in ${column}`);
  }
}

function describeImage(row: ExportedRow, read: ReadColumn): ExportedFile {
  const [id, contentType] = [read(row, 'id'), read(row, 'content_type')];
  const path = `images/${id}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
  return { id, path, contentType, sha256: read(row, 'sha256') };
}

function describeAudio(
  row: ExportedRow,
  read: ReadColumn,
  slugs: ReadonlyMap<string, string>,
): ExportedFile {
  const [id, extension] = [read(row, 'episode_id'), read(row, 'extension')];
  const slug = slugs.get(id) ?? '';
  if (!isSlug(slug) || !/^[a-z0-9]{2,5}$/.test(extension))
    throw damaged(`${rowsPath('audio_files')} has a row of no episode`);
  const path = `episodes/${slug}/audio.${extension}`;
  return { id, path, contentType: read(row, 'content_type'), sha256: read(row, 'sha256') };
}
