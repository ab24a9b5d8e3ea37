import Type from 'typebox';
import { getPublicImage, type PublicImage } from '../../domain/catalogue/index.ts';
import { notFound } from '../../domain/errors.ts';
import { imageKey, imageVariantKey } from '../../domain/media/index.ts';
import { isUuid } from '../../lib/uuid.ts';
import { publicCaching } from '../payload.ts';
import { type Answer, defineRoute, type RouteInput } from '../route.ts';
import type { Web } from '../web.ts';
import { sendBlob } from './send-blob.ts';

/** A picture as it was given: `/images/{id}.jpg` or `.png`. */
export const imageRoute = defineRoute({
  method: 'GET',
  path: '/images/:file',
  access: 'public',
  params: Type.Object({ file: Type.String() }),
  async handle(web, { params, ...input }) {
    const [id = '', extension = ''] = params.file.split('.', 2);
    const image = await findImage(web, id);
    const key = imageKey(id, image.contentType);
    if (!key.endsWith(`.${extension}`)) throw notFound('image');
    return answerImage(web, input, { key, contentType: image.contentType, hash: image.sha256 });
  },
});

/** One of its smaller copies: `/images/{id}/{width}.jpg`. */
export const imageVariantRoute = defineRoute({
  method: 'GET',
  path: '/images/:id/:file',
  access: 'public',
  params: Type.Object({ id: Type.String(), file: Type.String() }),
  async handle(web, { params: { id, file }, ...input }) {
    const width = /^([1-9]\d{1,3})\.jpg$/.exec(file)?.[1];
    if (width === undefined) throw notFound('image');
    const image = await findImage(web, id);
    // Told apart from the original by its width: the two never share an ETag.
    const hash = image.sha256.slice(0, -4) + width.padStart(4, '0');
    const key = imageVariantKey(id, Number(width));
    return answerImage(web, input, { key, contentType: 'image/jpeg', hash });
  },
});

function findImage(web: Web, id: string): Promise<PublicImage> {
  if (!isUuid(id)) throw notFound('image');
  return getPublicImage(web.ctx, id);
}

async function answerImage(
  web: Web,
  { request, reply }: Pick<RouteInput<never, never>, 'request' | 'reply'>,
  file: { key: string; contentType: string; hash: string },
): Promise<Answer> {
  const stat = await web.ctx.blobs.stat(file.key);
  if (stat === undefined) throw notFound('image');
  reply.header('Cache-Control', publicCaching.cacheControl);
  await sendBlob(web, request, reply, { ...file, sizeBytes: stat.sizeBytes });
  return { kind: 'sent' };
}
