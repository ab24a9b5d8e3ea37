import type { JobFile } from '../../../platform/processes/job.ts';
import { type ReadingContext, readForeign } from '../../foundation/read-foreign.ts';
import { ImageError, type PreparedImage } from './image.ts';
import type { PictureParts } from './picture-task.ts';
import { maxImageBytes } from './read-image.ts';

const module = new URL('./picture-task.ts', import.meta.url);
/** The largest pictures take 700 MB and 10 s. */
const limits = {
  memoryMb: 1_280,
  cpuMs: 40_000,
  wallMs: 180_000,
  resultBytes: 4 * maxImageBytes,
};

/** `readImage`, in a child process. Throws ImageError. */
export async function prepareImage(ctx: ReadingContext, file: JobFile): Promise<PreparedImage> {
  const parts: unknown[] = [];
  const job = { module, task: 'picture', files: [file], limits, refusals: [ImageError], refuse };
  await readForeign(ctx, job, (part) => parts.push(part));
  const [{ variants, ...image }, bytes, ...buffers] = parts as PictureParts;
  return {
    ...image,
    bytes,
    variants: variants.map((variant, index) => ({ ...variant, bytes: buffers[index] as Buffer })),
  };
}

function refuse(cause: unknown): ImageError {
  const message = 'The picture takes too long to read. Save it again as JPEG or PNG.';
  return new ImageError('too_complex', message, { cause });
}
