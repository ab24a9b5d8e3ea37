import { isSlug } from '../../../lib/slug.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { type ExportedTable, rowsPath, ruleOf } from '../exports/index.ts';
import { type ColumnTypes, checkRowValues } from './check-row-values.ts';
import { CleanNotes } from './clean-notes.ts';
import { RestoredIds } from './restored-ids.ts';
import { damaged, type ExportedRow, type ShowExport } from './show-export.ts';
import { mostIds, TableLimits } from './table-limits.ts';

/** A file of the export, by its row. */
export interface ExportedFile {
  /** Of the episode, or of the picture. */
  readonly id: string;
  readonly path: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A picture of the export, by its row. */
export interface ExportedImage extends ExportedFile {
  readonly width: number;
  readonly height: number;
}

/** What has to be known of all rows before the first one is restored. */
export interface Survey {
  readonly ids: RestoredIds;
  readonly audio: readonly ExportedFile[];
  readonly images: readonly ExportedImage[];
  readonly episodes: number;
  readonly cleanNotes: CleanNotes;
}

/** Reads all rows once. Throws if they are not what the manifest says. */
export async function surveyRows(
  ctx: Context,
  show: ShowExport,
  types: ReadonlyMap<string, ColumnTypes>,
  signal?: AbortSignal,
): Promise<Survey> {
  const ids = new RestoredIds();
  // By id: rows with the same one take no memory, and are refused by the database.
  const audio = new Map<string, ExportedFile>();
  const images = new Map<string, ExportedImage>();
  const slugs = new Map<string, string>();
  const taken = new Set<string>();
  const cleanNotes = new CleanNotes();
  for (const table of show.tables) {
    const read = columnReader(table.columns);
    const typesHere = types.get(table.name) ?? new Map();
    const limits = new TableLimits(table, typesHere);
    for await (const rows of show.readRows(table)) {
      signal?.throwIfAborted();
      for (const row of rows) {
        noteIds(ids, table, row);
        checkRowValues(table, typesHere, row);
        limits.add(row);
        if (table.name === 'episodes') {
          noteSlug(slugs, taken, read(row, 'id'), read(row, 'slug'));
          await cleanNotes.note(ctx, read(row, 'show_notes_html'));
        }
        if (table.name === 'images') images.set(read(row, 'id'), describeImage(row, read));
        // `episodes` came before.
        if (table.name === 'audio_files') refuseLongTag(row, read);
        if (table.name === 'audio_files' && read(row, 'blob_key', 'no') !== 'no')
          audio.set(read(row, 'episode_id'), describeAudio(row, read, slugs));
      }
    }
  }
  const podcasts = show.tables.find(({ name }) => name === 'podcasts');
  if (podcasts?.rows !== 1 || ids.only('podcast') !== show.manifest.podcast_id)
    throw damaged(`${rowsPath('podcasts')} is not one show, to which everything belongs`);
  return {
    ids,
    audio: [...audio.values()],
    images: [...images.values()],
    episodes: slugs.size,
    cleanNotes,
  };
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
  if (ids.size > mostIds)
    throw new DomainError(
      'invalid',
      `The export has more than ${mostIds} ids of episodes, pictures, people and credits. Nothing was restored.`,
    );
}

/** The files of an episode are in a folder of this name. */
function noteSlug(slugs: Map<string, string>, taken: Set<string>, id: string, slug: string): void {
  if (!isSlug(slug) || taken.has(slug))
    throw damaged(`${rowsPath('episodes')} has a slug that is none, or twice`);
  taken.add(slug);
  slugs.set(id, slug);
}

function describeImage(row: ExportedRow, read: ReadColumn): ExportedImage {
  const [id, contentType] = [read(row, 'id'), read(row, 'content_type')];
  const path = `images/${id}.${contentType === 'image/png' ? 'png' : 'jpg'}`;
  const [width, height] = [Number(read(row, 'width')), Number(read(row, 'height'))];
  return { ...{ id, path, contentType, width, height }, ...measured(row, read) };
}

const measured = (row: ExportedRow, read: ReadColumn) => ({
  sha256: read(row, 'sha256'),
  sizeBytes: Number(read(row, 'size_bytes')),
});

function refuseLongTag(row: ExportedRow, read: ReadColumn): void {
  if (Number(read(row, 'leading_tag_bytes', '0')) > Number(read(row, 'size_bytes', 'Infinity')))
    throw damaged(`${rowsPath('audio_files')} has a tag that is longer than its file`);
}

function describeAudio(
  row: ExportedRow,
  read: ReadColumn,
  slugs: ReadonlyMap<string, string>,
): ExportedFile {
  const [id, extension] = [read(row, 'episode_id'), read(row, 'extension')];
  const slug = slugs.get(id) ?? '';
  if (slug === '' || !/^[a-z0-9]{2,5}$/.test(extension))
    throw damaged(`${rowsPath('audio_files')} has a row of no episode`);
  const path = `episodes/${slug}/audio.${extension}`;
  return { id, path, contentType: read(row, 'content_type'), ...measured(row, read) };
}
