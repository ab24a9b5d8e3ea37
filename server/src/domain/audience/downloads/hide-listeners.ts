import { createHmac, randomBytes } from 'node:crypto';
import { createYielder } from '../../../lib/time-slices.ts';
import { type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import type { Context } from '../../foundation/context.ts';
import type { AudioRequest } from './audio-request.ts';
import { isOpen, openDays } from './days.ts';
import { secretForDay, secretForLogs } from './download-secrets.ts';
import type { ObservedRequest } from './observed-request.ts';
import { type ClientPlace, locateClient, toAudioRequest } from './to-audio-request.ts';

/**
 * Replaces addresses with hashes. Requests of open days use the day's secret, so that they unite
 * with those that this service handled itself. Requests of older days use a key of their day, so that
 * nothing links days. It is made from `oldSecret`, or from the secret that all logs begun on that day
 * share.
 */
export async function hideListeners(
  ctx: Context,
  geo: Geo,
  observed: readonly ObservedRequest[],
  oldSecret: Buffer | { readonly logBegunOn: UtcDay },
): Promise<AudioRequest[]> {
  const maybeYield = createYielder();
  const secrets = new Map<UtcDay, Secret>();
  const places = new Map<string, ClientPlace>();
  const requests: AudioRequest[] = [];
  for (const request of observed) {
    const day = utcDayOf(request.at);
    const secret = secrets.get(day) ?? (await findSecret(ctx, day, oldSecret));
    secrets.set(day, secret);
    const place = places.get(request.address) ?? (await locateClient(geo, request.address));
    places.set(request.address, place);
    const hidden = toAudioRequest(request, secret.key, place);
    requests.push(secret.of === undefined ? hidden : { ...hidden, ...secret.of });
    await maybeYield();
  }
  return requests;
}

interface Secret {
  readonly key: Buffer;
  /** What tells its requests from others. */
  readonly of?: { readonly logBegunOn: UtcDay };
}

async function findSecret(
  ctx: Context,
  day: UtcDay,
  oldSecret: Buffer | { readonly logBegunOn: UtcDay },
): Promise<Secret> {
  const open = openDays(ctx.clock.now());
  if (isOpen(day, open)) return { key: await secretForDay(ctx, day) };
  // Requests of the future are rejected for any client.
  if (day > open.last) return { key: randomBytes(32) };
  const keyFrom = (secret: Buffer) => createHmac('sha256', secret).update(day).digest();
  if (Buffer.isBuffer(oldSecret)) return { key: keyFrom(oldSecret) };
  const { logBegunOn } = oldSecret;
  return { key: keyFrom(await secretForLogs(ctx, logBegunOn)), of: { logBegunOn } };
}
