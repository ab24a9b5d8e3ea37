import { addAbortSignal, type Readable } from 'node:stream';
import Type from 'typebox';
import {
  checkPlatformFile,
  importPlatformFile,
  platformSources,
  readPlatformImport,
} from '../../../domain/audience/analytics/index.ts';
import { invalid } from '../../../domain/foundation/errors.ts';
import { sayRefusal } from '../../../domain/foundation/refusals.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { turnOf } from '../../limits/turn-of.ts';
import { pageParameters } from '../../requests/parameters.ts';
import { byImportedRow } from '../../requests/positions.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { id, moment, named, nullable, Pagination } from '../field-schemas.ts';
import { ok, whole } from '../response.ts';

const platformParams = Type.Object({
  podcastId: id,
  source: Type.Enum([...platformSources], { type: 'string', description: 'The platform.' }),
});

/** Only what the file contains. Apple has no streams and listeners, Spotify no times and engagement. */
const Figures = Type.Object(
  Object.fromEntries(
    [
      ...['plays', 'streams', 'listeners', 'followers'],
      ...['time_listened_seconds', 'engaged_listeners'],
    ].map((name) => [name, Type.Optional(Type.Integer())]),
  ),
);

/** The last import, with a page of its episodes. */
const PlatformImport = named('PlatformFigures', {
  podcast_id: id,
  source: Type.String(),
  /** Null if nothing was imported. */
  imported_at: nullable(moment),
  /** The last day of the figures. */
  as_of: nullable(Type.String()),
  show_metrics: Figures,
  episodes: Type.Array(
    Type.Object({ episode_id: nullable(id), title: Type.String(), metrics: Figures }),
  ),
  /** False: the plan of the podcast does not let its team import a file. */
  included_in_plan: Type.Boolean(),
  may_import: Type.Boolean(),
});

const PlatformImportReport = named('PlatformImportReport', {
  podcast_id: id,
  source: Type.String(),
  imported_at: moment,
  rows: Type.Integer(),
  matched: Type.Integer(),
  /** The first titles in the file that match no episode. */
  unmatched: Type.Array(Type.String()),
  unmatched_count: Type.Integer(),
  /** The import of the source that is gone; null: there was none. */
  replaced: nullable(Type.Object({ imported_at: moment, as_of: nullable(Type.String()) })),
});

const path = '/app/api/podcasts/:podcastId/platforms/:source';
const uploadMs = 10 * 60_000;
/** A file may have 20,000 titles, too many for a reader. */
const namedTitles = 20;

/** Figures of other platforms: what was imported, and the upload of a file. */
export const platformRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getPlatformImport',
    summary: 'The last import of a platform, with a page of its episodes',
    params: platformParams,
    query: Type.Object(pageParameters),
    response: whole(Type.Object({ data: PlatformImport, pagination: Pagination })),
    async handle({ ctx }, { params, page }) {
      const { pagination, ...imported } = await page.find(byImportedRow, (query) =>
        readPlatformImport(ctx, { ...query, ...params }),
      );
      return { data: wireNames(imported), pagination };
    },
  }),
  // The body is the file. The verb limits its size.
  defineEndpoint(`PUT ${path}`, {
    id: 'importPlatformFile',
    summary: 'Replaces the figures of a platform with those of a CSV export',
    params: platformParams,
    body: 'stream',
    response: ok(PlatformImportReport),
    mayBeAbandoned: true,
    async handle({ ctx, session }, { http, params, body, reply }) {
      const inTurn = turnOf(http, session.userId, reply);
      const imported = await inTime(body, (file) =>
        importPlatformFile(ctx, { ...params, file, inTurn }),
      );
      const { unmatched, replaced = null, ...report } = imported;
      return {
        ...wireNames({ ...report, replaced }),
        unmatched: unmatched.slice(0, namedTitles),
        unmatched_count: unmatched.length,
      };
    },
  }),
  defineEndpoint(`POST ${path}/check`, {
    id: 'checkPlatformFile',
    summary: 'Checks a CSV export as its import would, without changing anything',
    params: platformParams,
    body: 'stream',
    mayBeAbandoned: true,
    handle({ ctx, session }, { http, params, body, reply }) {
      const inTurn = turnOf(http, session.userId, reply);
      return inTime(body, (file) => checkPlatformFile(ctx, { ...params, file, inTurn }));
    },
  }),
];

async function inTime<R>(body: Readable, read: (file: Readable) => Promise<R>): Promise<R> {
  const deadline = AbortSignal.timeout(uploadMs);
  try {
    return await read(addAbortSignal(deadline, body));
  } catch (error) {
    if (!deadline.aborted) throw error;
    throw invalid('file', sayRefusal('csv_slow'));
  }
}
