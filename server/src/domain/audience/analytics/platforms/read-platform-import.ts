import { toPage } from '../../../../lib/list-page.ts';
import type { Plan } from '../../../foundation/accounts/index.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError, invalid } from '../../../foundation/errors.ts';
import { allows, authorize, roleOf } from '../../../foundation/permissions/index.ts';
import type { PlatformFigures, PlatformSource } from './platform-figures.ts';
import { selectPlatformImport } from './platforms.sql.ts';

/** An episode as the platform's file names it; `episodeId` is null if it was not found here. */
export interface PlatformEpisode {
  readonly episodeId: string | null;
  readonly title: string;
  readonly metrics: PlatformFigures;
}

/** The last import of a source, with a page of its episodes in the order of the file. */
export interface PlatformImport {
  readonly podcastId: string;
  readonly source: PlatformSource;
  /** Null if nothing was imported, like `asOf`. */
  readonly importedAt: Date | null;
  /** The last day of the figures, `YYYY-MM-DD`; null if the file does not say. */
  readonly asOf: string | null;
  readonly showMetrics: PlatformFigures;
  readonly episodes: readonly PlatformEpisode[];
  /** Whether the plan of the podcast lets its team import a file. */
  readonly includedInPlan: boolean;
  /** Whether the caller may do that: their role and the plan allow it. */
  readonly mayImport: boolean;
  /** Undefined on the last page. */
  readonly next: PlatformPosition | undefined;
}

export interface PlatformPosition {
  /** A position holds only for the import it came from. */
  readonly importId: string;
  readonly position: number;
}

/** Undefined is the plan of the operator, who has no limits. */
export const includesPlatforms = (plan: Plan | undefined): boolean =>
  plan?.engagementImports !== false;

/** Throws `invalid` if the position is of an import that was replaced since. */
export async function readPlatformImport(
  ctx: Context,
  query: {
    readonly podcastId: string;
    readonly source: PlatformSource;
    readonly after: PlatformPosition | undefined;
    readonly limit: number;
  },
): Promise<PlatformImport> {
  const { podcastId, source, after, limit } = query;
  const { membership, plan, quota } = await authorize(ctx, 'platforms.read', { podcastId });
  const includedInPlan = includesPlatforms(plan);
  const mayImport = includedInPlan && allows(roleOf(membership), 'platforms.import');
  // Only keys have a quota. Members see in the app what was imported under a larger plan.
  if (quota !== undefined && !includedInPlan) {
    const message = `This podcast's plan, ${plan?.name}, does not include this.`;
    throw new DomainError('plan_upgrade_required', message);
  }
  const rows = await selectPlatformImport(ctx.db, {
    ...{ podcastId, source },
    after: after?.position ?? -1,
    limit: limit + 1,
  });
  const [first] = rows;
  if (after !== undefined && first?.id !== after.importId) throw replaced();
  const { id = '', importedAt = null, asOf = null, showMetrics = {} } = first ?? {};
  const listed = rows.flatMap(({ position, episodeId, title, metrics }) =>
    position === null || title === null || metrics === null
      ? []
      : [{ position, episodeId, title, metrics }],
  );
  const { items, next } = toPage(listed, limit, ({ position }) => ({ importId: id, position }));
  const episodes = items.map(({ position: _, ...episode }) => episode);
  const figures = { podcastId, source, importedAt, asOf, showMetrics, episodes };
  return { ...figures, includedInPlan, mayImport, next };
}

function replaced() {
  const message =
    'The figures were imported again since the last page. Omit the cursor to start again.';
  return invalid('cursor', message);
}
