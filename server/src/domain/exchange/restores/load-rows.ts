import { RowDigest } from '../../../lib/row-digest.ts';
import { copyRows } from '../../../platform/database/table-rows.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { toRow } from '../../foundation/database.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { queueWaveform } from '../../publishing/audio/index.ts';
import { claimSlug, insertMember, isSlugTaken } from '../../publishing/podcasts/index.ts';
import { type ExportedTable, rowsPath } from '../exports/index.ts';
import { checkRestored } from './check-restored.ts';
import { countShowRows, setPictures } from './restores.sql.ts';
import { countExportedRows, damaged, type ExportedRow, type ShowExport } from './show-export.ts';
import { type StoredFiles, storeImageFilesOf } from './store-files.ts';
import { columnReader, type Survey } from './survey.ts';

export interface LoadedRows {
  /** The digest by table of what the export would have, if it were made here. */
  readonly expected: ReadonlyMap<string, string>;
  readonly slugsLost: readonly string[];
  /** Slugs of episodes. */
  readonly cleaned: readonly string[];
}

interface ShowToLoad {
  readonly show: ShowExport;
  readonly survey: Survey;
  readonly stored: StoredFiles;
  readonly owner: User;
  readonly slug: string;
}

/** Writes all rows of a show. Call it in a transaction. */
export function loadRows(
  ctx: Context,
  given: ShowToLoad,
  options: WorkOptions,
): Promise<LoadedRows> {
  return new Loading(ctx, given, options).run();
}

type PictureColumn = 'artwork_id' | 'header_image_id';

class Loading {
  readonly #ctx: Context;
  readonly #given: ShowToLoad;
  readonly #options: WorkOptions;
  readonly #expected = new Map<string, string>();
  readonly #podcastId: string;
  readonly #slugsLost: string[] = [];
  #pictures: Readonly<Record<PictureColumn, string | null>> | undefined;
  #done = 0;

  constructor(ctx: Context, given: ShowToLoad, options: WorkOptions) {
    this.#ctx = ctx;
    this.#given = given;
    this.#options = options;
    this.#podcastId = given.survey.ids.of(given.show.manifest.podcast_id);
  }

  async run(): Promise<LoadedRows> {
    const { show, survey, owner, slug } = this.#given;
    const [ctx, podcastId] = [this.#ctx, this.#podcastId];
    for (const table of show.tables) await this.#loadTable(table);
    await this.#refuseOthers();
    await claimSlug(ctx, slug, podcastId);
    if (this.#pictures !== undefined) await setPictures(ctx.db, podcastId, this.#pictures);
    await insertMember(ctx.db, {
      ...{ podcastId, userId: owner.id, role: 'owner', roleName: null, capabilities: null },
      createdAt: ctx.clock.now(),
    });
    for (const { id, contentType, sha256 } of survey.audio)
      await queueWaveform(ctx, { episodeId: survey.ids.of(id), sha256, contentType });
    await storeImageFilesOf(ctx, show, survey, this.#given.stored, this.#options);
    const cleaned = await checkRestored(ctx, podcastId, survey, this.#options);
    await announceChange(ctx, { kind: 'podcast.created', podcastId });
    return { expected: this.#expected, slugsLost: this.#slugsLost, cleaned };
  }

  /** Nothing that was loaded may belong to another show. */
  async #refuseOthers(): Promise<void> {
    for (const { name, rows } of this.#given.show.tables) {
      if (name === 'podcast_slugs') continue;
      if ((await countShowRows(this.#ctx.db, name, this.#podcastId)) !== rows)
        throw damaged(`${rowsPath(name)} has rows of another show`);
    }
  }

  async #loadTable(table: ExportedTable): Promise<void> {
    const { show } = this.#given;
    const { name, columns } = table;
    const digest = new RowDigest();
    for await (const rows of show.readRows(table)) {
      this.#options.signal?.throwIfAborted();
      const here = rows.map((row) => this.#readdress(name, columns, row));
      for (const row of here) digest.add(JSON.stringify(row));
      if (name === 'podcast_slugs') await this.#claimSlugs(columns, here);
      else await copyRows(this.#ctx.db, name, columns, this.#complete(name, columns, here));
      this.#done += rows.length;
      this.#options.onProgress?.({
        stage: 'rows',
        done: this.#done,
        total: countExportedRows(show),
      });
    }
    this.#expected.set(name, digest.toString());
  }

  /** The row as an export that is made here would have it. */
  #readdress(name: string, columns: readonly string[], row: ExportedRow): ExportedRow {
    const { survey, slug } = this.#given;
    const here = row.map((value, at) => {
      if (name === 'podcasts' && columns[at] === 'slug') return slug;
      return value === null ? null : survey.ids.within(value);
    });
    return name === 'audio_files' ? this.#measure(columns, here) : here;
  }

  /** What is counted as a download depends on it, so the file says it, not the export. */
  #measure(columns: readonly string[], row: ExportedRow): ExportedRow {
    const { facts } = this.#given.stored.audio.get(columnReader(columns)(row, 'episode_id')) ?? {};
    if (facts === undefined) return row;
    const { durationMs, bitrateBps, leadingTagBytes } = facts;
    return setColumns(columns, row, toRow({ durationMs, bitrateBps, leadingTagBytes }));
  }

  /** With what no export has. */
  #complete(
    name: string,
    columns: readonly string[],
    rows: readonly ExportedRow[],
  ): readonly ExportedRow[] {
    const { owner, stored } = this.#given;
    const set = (row: ExportedRow, values: ColumnValues) => setColumns(columns, row, values);
    if (name === 'podcasts') {
      const read = columnReader(columns);
      const pictureOf = (row: ExportedRow, column: PictureColumn) =>
        columns.includes(column) ? read(row, column) || null : null;
      for (const row of rows) {
        this.#pictures = {
          artwork_id: pictureOf(row, 'artwork_id'),
          header_image_id: pictureOf(row, 'header_image_id'),
        };
      }
      const without = { artwork_id: null, header_image_id: null };
      return rows.map((row) => set(row, { account_id: owner.accountId, ...without }));
    }
    if (name !== 'audio_files') return rows;
    const read = columnReader(columns);
    const keyOf = (row: ExportedRow) => stored.audio.get(read(row, 'episode_id'))?.blobKey ?? null;
    return rows.map((row) => set(row, { blob_key: keyOf(row) }));
  }

  /** Former slugs that are taken here stay where they are. */
  async #claimSlugs(columns: readonly string[], rows: readonly ExportedRow[]): Promise<void> {
    const read = columnReader(columns);
    const former = rows.map((row) => read(row, 'slug')).filter((one) => one !== this.#given.slug);
    for (const one of former) {
      if (await isSlugTaken(this.#ctx, one)) this.#slugsLost.push(one);
      else await claimSlug(this.#ctx, one, this.#podcastId);
    }
  }
}

type ColumnValues = Readonly<Record<string, string | number | null>>;

function setColumns(columns: readonly string[], row: ExportedRow, values: ColumnValues) {
  return row.map((value, at) => {
    const given = values[columns[at] ?? ''];
    return given === undefined ? value : given === null ? null : String(given);
  });
}
