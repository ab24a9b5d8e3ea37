import { finished, Readable } from 'node:stream';
import Type from 'typebox';
import { type ExportEntry, exportPodcast } from '../../../../domain/exchange/exports/index.ts';
import type { Context } from '../../../../domain/foundation/context.ts';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { BlobNotFoundError } from '../../../../platform/blob-store/blob-store.ts';
import { type ZipEntry, zipEntries } from '../../../../platform/zip/zip-entries.ts';
import { unbuffered } from '../../../responses/default-headers.ts';
import { sessionCaching } from '../../../responses/payload.ts';
import { clientLeaves } from '../../../responses/while-awaited.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { written } from '../../response.ts';

/** The archive is written while it is sent, so its size is not known in advance. */
export const exportRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/export', {
  id: 'exportPodcast',
  summary: 'Everything of a show as a zip archive',
  query: Type.Object({
    audio: Type.Optional(
      Type.Enum(['true', 'false'], {
        type: 'string',
        description: 'With the audio; default: without.',
      }),
    ),
  }),
  response: written({ 200: { description: 'A zip archive' } }),
  async handle({ ctx, session }, { http, params: { podcastId }, query, request, reply }) {
    const left = clientLeaves(reply);
    const { db, openSnapshot } = http.exportReads.begin(session.userId, left);
    const { slug, accountId, isOwner, entries } = await exportPodcast({ ...ctx, db }, podcastId, {
      ...{ audio: query.audio === 'true', openSnapshot, signal: left },
    });
    const place = http.exports.take({ userId: session.userId, accountId, isOwner });
    finished(reply.raw, () => place[Symbol.dispose]());
    const name = `${slug}-${utcDayOf(ctx.clock.now())}.zip`;
    reply
      .header('Content-Type', 'application/zip')
      .header('Content-Disposition', `attachment; filename="${name}"`)
      .header('Cache-Control', sessionCaching.cacheControl)
      .headers(unbuffered);
    reply.send(request.method === 'HEAD' ? '' : writeArchive(ctx, entries));
    return { kind: 'sent' } as const;
  },
});

function writeArchive(ctx: Context, entries: AsyncGenerator<ExportEntry>): Readable {
  return zipEntries(openEntries(ctx, entries)).once('error', (err) => {
    ctx.log.error({ err }, 'an export failed');
  });
}

/** Leaves out missing files and lists them in `missing.txt`. */
async function* openEntries(
  ctx: Context,
  entries: AsyncGenerator<ExportEntry>,
): AsyncGenerator<ZipEntry> {
  const missing: string[] = [];
  for await (const { path, modifiedAt, content } of entries) {
    switch (content.kind) {
      case 'blob': {
        const { key, sizeBytes } = content;
        const open = () =>
          ctx.blobs.read(key).catch((err: unknown) => {
            if (!(err instanceof BlobNotFoundError)) throw err;
            ctx.log.error({ err }, 'a stored file is missing');
            missing.push(`${path}\n`);
            return undefined;
          });
        yield { path, modifiedAt, sizeBytes, isCompressible: false, open };
        break;
      }
      case 'text':
        yield { path, modifiedAt, isCompressible: true, open: async () => read(content.pieces) };
        break;
      default: {
        const text = JSON.stringify(wireNames(content.value), undefined, 2);
        yield { path, modifiedAt, isCompressible: true, open: async () => read([text]) };
      }
    }
  }
  if (missing.length === 0) return;
  const modifiedAt = ctx.clock.now();
  yield { path: 'missing.txt', modifiedAt, isCompressible: true, open: async () => read(missing) };
}

const read = (pieces: Iterable<string> | AsyncIterable<Buffer>): Readable =>
  Readable.from(pieces, { objectMode: false });
