import Type from 'typebox';
import { notFound } from '../../domain/foundation/errors.ts';
import type { PublicImage } from '../../domain/public/catalogue/index.ts';
import { imageKey, imageVariantKey, wideBoxPx } from '../../domain/publishing/images/index.ts';
import type { HttpContext } from '../http-context.ts';
import { publicCaching } from '../responses/payload.ts';
import { withTrainingHeaders } from '../responses/training-headers.ts';
import { defineRoute, type RouteInput, type RouteResponse } from '../route.ts';
import { isCanonicalUuid, tryParseFileName, tryParseVariantName } from './file-name.ts';
import { sendStored } from './send-blob.ts';

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
    return await sendOriginal(http, input, original);
  },
});

/** A smaller copy: `/images/{id}/{width}.jpg`. */
export const imageVariantRoute = defineRoute({
  method: 'GET',
  path: '/images/:id/:file',
  access: 'public',
  params: Type.Object({ id: Type.String(), file: Type.String() }),
  async handle(http, { params: { id, file }, request, reply }) {
    const width = tryParseVariantName(file);
    if (width === undefined || !isCanonicalUuid(id)) throw notFound('image');
    const image = await http.images.get(id);
    // Includes the width, so that original and copies never share an ETag.
    const hash = image.sha256.slice(0, -4) + String(width).padStart(4, '0');
    const key = imageVariantKey(id, width);
    const copy = { ...originalOf(id, image), ...{ key, contentType: 'image/jpeg', hash } };
    if (await sendStored(http, request, reply, copy)) return { kind: 'sent' };
    // The picture was made a header, or restored, without one.
    if (width !== wideBoxPx) throw notFound('image');
    return await sendOriginal(http, { request, reply }, originalOf(id, image));
  },
});

const originalOf = (id: string, image: PublicImage) => ({
  key: imageKey(id, image.contentType),
  contentType: image.contentType,
  hash: image.sha256,
  extra: withTrainingHeaders({ 'Cache-Control': publicCaching.cacheControl }, image),
});

async function sendOriginal(
  http: HttpContext,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  file: ReturnType<typeof originalOf>,
): Promise<RouteResponse> {
  if (!(await sendStored(http, request, reply, file))) throw notFound('image');
  return { kind: 'sent' };
}
