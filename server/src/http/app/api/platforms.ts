import { addAbortSignal } from 'node:stream';
import Type from 'typebox';
import {
  importPlatformFile,
  type PlatformPosition,
  readPlatformImport,
} from '../../../domain/analytics/index.ts';
import type { CursorPosition } from '../../../lib/cursor.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { HttpError } from '../../errors.ts';
import { sessionCaching } from '../../payload.ts';
import { defineRoute, type Route } from '../../route.ts';
import { openPage } from '../../v1/page-request.ts';
import { cursor, pageSize } from '../../v1/parameters.ts';
import { answerData } from '../answers.ts';
import { forSignedIn } from '../requester.ts';
import { ok } from '../responses.ts';
import { PlatformImport, PlatformImportReport, platformParams } from '../schemas/platforms.ts';
import { Pagination } from '../schemas/podcasts.ts';

const path = '/app/api/podcasts/:podcastId/platforms/:source';
const parameters = Type.Object({ limit: pageSize(100), cursor });
const uploadMs = 10 * 60_000;

/** Figures of other platforms: what was imported, and the upload of a file. */
export const platformRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path,
    params: platformParams,
    query: parameters,
    operation: {
      id: 'getPlatformImport',
      summary: 'The last import of a platform, with a page of its episodes',
      responses: {
        200: {
          description: 'OK',
          schema: Type.Object({ data: PlatformImport, pagination: Pagination }),
        },
      },
    },
    check: (http, input) => {
      const of = [input.params.podcastId?.toLowerCase(), input.params.source].join(' ');
      return openPage(http, { path, parameters, of }, input);
    },
    async handle(_http, { caller: { ctx }, params: { podcastId, source }, checked: page }) {
      const after = page.after && toPosition(page.after);
      const { next, ...imported } = await readPlatformImport(ctx, {
        ...{ podcastId, source, after },
        limit: page.limit,
      });
      const pagination = page.next(next && [next.importId, next.position]);
      const body = { data: wireNames(imported), pagination };
      return { kind: 'json', body, caching: sessionCaching };
    },
  }),
  // The body is the file. The verb limits its size.
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path,
    params: platformParams,
    body: 'stream',
    operation: {
      id: 'importPlatformFile',
      summary: 'Replaces the figures of a platform with those of a CSV export',
      responses: ok(PlatformImportReport),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId, source }, body }) {
      const deadline = AbortSignal.timeout(uploadMs);
      try {
        const file = addAbortSignal(deadline, body);
        return answerData(wireNames(await importPlatformFile(ctx, { podcastId, source, file })));
      } catch (error) {
        if (!deadline.aborted) throw error;
        throw new HttpError({
          status: 400,
          code: 'invalid_request',
          message: 'The file took too long to arrive.',
        });
      }
    },
  }),
];

function toPosition([importId, position]: CursorPosition): PlatformPosition {
  return { importId: String(importId), position: Number(position) };
}
