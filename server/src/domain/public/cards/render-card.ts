import type { Context } from '../../foundation/context.ts';
import { DomainError } from '../../foundation/errors.ts';
import { readForeignPart } from '../../foundation/read-foreign.ts';
import { imageVariantKey } from '../../publishing/images/index.ts';
import type { Card } from './card.ts';

const module = new URL('./card-task.ts', import.meta.url);
/** A card takes 150 MB and 0.2 s of CPU time, with the start of its process. */
const limits = { memoryMb: 640, cpuMs: 10_000, wallMs: 120_000, resultBytes: 256 * 1024 };
/** The smallest copy that is as large as on the card. */
const coverBoxPx = 640;

/**
 * A card as a JPEG, drawn in a child process, because its texts are foreign. If the file of its cover is missing, it
 * is as without one.
 */
export async function renderCard(ctx: Context, card: Card): Promise<Buffer> {
  const { cover } = card;
  const key = cover === null ? undefined : imageVariantKey(cover, coverBoxPx);
  const isThere = key !== undefined && (await ctx.blobs.stat(key)) !== undefined;
  const files = isThere ? [() => ctx.blobs.read(key)] : [];
  const input = { card, fonts: ctx.installation.cardFonts };
  const job = { module, task: 'draw', input, files, limits, refuse };
  return Buffer.from(await readForeignPart<Uint8Array>(ctx, job));
}

function refuse(cause: unknown): DomainError {
  const message = 'The picture cannot be drawn right now.';
  return new DomainError('service_unavailable', message, { cause, retryAfterSeconds: 60 });
}
