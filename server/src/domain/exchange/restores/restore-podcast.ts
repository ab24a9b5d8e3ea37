import { isSqlError, isUniqueViolation } from '../../../platform/database/sql-errors.ts';
import { getUserByEmail } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, invalid } from '../../foundation/errors.ts';
import { requireOperator } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { storeAndCommit } from '../../foundation/store-and-commit.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { isSlugTaken } from '../../publishing/podcasts/index.ts';
import { sumDownloadsOf } from '../exports/index.ts';
import type { ColumnTypes } from './check-row-values.ts';
import { compareFiles, compareRows } from './compare-restored.ts';
import { loadRows } from './load-rows.ts';
import { selectColumnTypes } from './restores.sql.ts';
import { ShowExport } from './show-export.ts';
import { storeAudioFiles } from './store-files.ts';
import { surveyRows } from './survey.ts';

export interface RestoredPodcast {
  readonly podcastId: string;
  readonly slug: string;
  readonly episodes: number;
  readonly files: number;
  /** Of all time. */
  readonly downloads: number;
  /** Former slugs that other shows here have or had: nothing redirects from them. */
  readonly slugsLost: readonly string[];
  /** What is not as in the export, in words. */
  readonly differences: readonly string[];
}

export interface PodcastToRestore {
  /** That `export` has filled. */
  readonly folder: string;
  readonly ownerEmail: string;
  /** Default: that of the export. */
  readonly slug: string | undefined;
}

/**
 * Makes a show from its export, for another owner: stores its files, loads all rows in one transaction, and
 * compares everything with the export in the end. Ids stay unless they exist here. Throws, without having
 * changed anything, for what is damaged or taken.
 */
export async function restorePodcast(
  ctx: Context,
  { folder, ownerEmail, slug }: PodcastToRestore,
  options: WorkOptions = {},
): Promise<RestoredPodcast> {
  requireOperator(ctx);
  const owner = await getUserByEmail(ctx, ownerEmail);
  const show = await ShowExport.open(folder);
  const target = { owner, slug: slug ?? show.manifest.slug };
  if (await isSlugTaken(ctx, target.slug)) throw refuseSlug(target.slug);
  const types = await readColumnTypes(ctx, show);
  const survey = await surveyRows(ctx, show, types, options.signal);
  if (survey.audio.length > 0 && !show.manifest.audio)
    throw new DomainError(
      'invalid',
      'The export has no audio, so the show cannot be restored from it. Export it with its audio.',
    );
  await survey.ids.replaceTaken(ctx.db);
  const { stored, loaded } = await storeAndCommit(
    ctx,
    (storing) => storeAudioFiles(storing, show, survey, options),
    async (tx, stored) => {
      const loaded = await loadRows(tx, { show, survey, stored, ...target }, options);
      return { stored, loaded };
    },
  ).catch(refuseRows);
  const podcastId = survey.ids.of(show.manifest.podcast_id);
  const downloads = await sumDownloadsOf(ctx.db, podcastId);
  return {
    podcastId,
    slug: target.slug,
    episodes: survey.episodes,
    files: stored.hashes.size,
    downloads,
    slugsLost: loaded.slugsLost,
    differences: [
      ...loaded.cleaned.map((slug) => `episodes/${slug}: the show notes were cleaned`),
      ...(downloads === show.manifest.downloads
        ? []
        : [`downloads: ${show.manifest.downloads} in the export, ${downloads} here`]),
      ...(await compareRows(ctx, show, podcastId, loaded, options)),
      ...(await compareFiles(ctx, stored, options)),
    ],
  };
}

const refuseSlug = (slug: string) =>
  invalid('slug', sayRefusal('slug_taken', { slug }), 'slug_taken');

/** By table. Throws for an export with columns that this version does not have. */
async function readColumnTypes({ db }: Context, { tables, manifest }: ShowExport) {
  const types = new Map<string, ColumnTypes>();
  for (const { name, columns } of tables) {
    const known = await selectColumnTypes(db, name);
    const unknown = columns.find((column) => !known.has(column));
    types.set(name, known);
    if (unknown === undefined) continue;
    throw new DomainError(
      'invalid',
      `The export was made by another version of Podstead (${manifest.release}), whose ${name} have ${unknown}. Nothing was restored.`,
    );
  }
  return types;
}

/** What the database refuses cannot be the rows of a show. */
function refuseRows(error: unknown): never {
  if (isUniqueViolation(error, 'podcasts_account_id_guid_key'))
    throw invalid('guid', 'This user already owns a show with the same GUID.');
  if (!isSqlError(error) || !/^(?:2[23]|54)/.test(String(error.code))) throw error;
  const { message } = error as { message?: unknown };
  throw new DomainError(
    'invalid',
    `The database refuses the rows of the export: ${String(message)}. Nothing was restored.`,
    { cause: error },
  );
}
