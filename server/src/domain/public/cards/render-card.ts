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

/** A card as a JPEG, drawn in a child process, because its texts are foreign. */
export async function renderCard(ctx: Context, card: Card): Promise<Buffer> {
  const { cover } = card;
  const files = cover === null ? [] : [() => ctx.blobs.read(imageVariantKey(cover, coverBoxPx))];
  const job = { module, task: 'card', input: card, files, limits, refuse };
  return Buffer.from(await readForeignPart<Uint8Array>(ctx, job));
}

function refuse(cause: unknown): DomainError {
  const message = 'The picture cannot be drawn right now.';
  return new DomainError('service_unavailable', message, { cause, retryAfterSeconds: 60 });
}
