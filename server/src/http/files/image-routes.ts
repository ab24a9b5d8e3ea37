import Type from 'typebox';
import { notFound } from '../../domain/foundation/errors.ts';
import type { PublicImage } from '../../domain/public/catalogue/index.ts';
import { imageKey, imageVariantKey, wideBoxPx } from '../../domain/publishing/images/index.ts';
import type { HttpContext } from '../http-context.ts';
import { publicCaching } from '../responses/payload.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { defineRoute, type RouteInput, type RouteResponse } from '../route.ts';
import type { StoredFile } from './blob-response.ts';
import { isCanonicalUuid, tryParseFileName } from './file-name.ts';
import { sendBlob } from './send-blob.ts';

/** An image in its original size: `/images/{id}.jpg` or `.png`. */
export const imageRoute = defineRoute({
  method: 'GET',
  path: '/images/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(http, { params, ...input }) {
    const file = tryParseFileName(params.file, ['jpg', 'png']);
    if (file === undefined) throw notFound('image');
    const image = await http.images.get(file.id);
    const original = originalOf(file.id, image);
    if (!original.key.endsWith(`.${file.extension}`)) throw notFound('image');
    return respondWithImage(http, input, original);
  },
});

/** A smaller copy: `/images/{id}/{width}.jpg`. */
export const imageVariantRoute = defineRoute({
  method: 'GET',
  path: '/images/:id/:file',
  access: 'public',
  params: Type.Object({ id: Type.String(), file: Type.String() }),
  async handle(http, { params: { id, file }, ...input }) {
    const width = /^([1-9]\d{1,3})\.jpg$/.exec(file)?.[1];
    if (width === undefined || !isCanonicalUuid(id)) throw notFound('image');
    const image = await http.images.get(id);
    // Includes the width, so that original and copies never share an ETag.
    const hash = image.sha256.slice(0, -4) + width.padStart(4, '0');
    const key = imageVariantKey(id, Number(width));
    // The picture was made a header, or restored, without one.
    const isMissing = Number(width) === wideBoxPx && (await http.ctx.blobs.stat(key)) === undefined;
    if (isMissing) return respondWithImage(http, input, originalOf(id, image));
    const extra = withTrainingHeaders({}, image);
    return respondWithImage(http, input, { key, contentType: 'image/jpeg', hash, extra });
  },
});

const originalOf = (id: string, image: PublicImage) => ({
  key: imageKey(id, image.contentType),
  contentType: image.contentType,
  hash: image.sha256,
  extra: withTrainingHeaders({}, image),
});

async function respondWithImage(
  http: HttpContext,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  file: Omit<StoredFile, 'sizeBytes'>,
): Promise<RouteResponse> {
  const stat = await http.ctx.blobs.stat(file.key);
  if (stat === undefined) throw notFound('image');
  reply.header('Cache-Control', publicCaching.cacheControl);
  await sendBlob(http, request, reply, { ...file, sizeBytes: stat.sizeBytes });
  return { kind: 'sent' };
}
