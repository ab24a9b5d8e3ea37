import { createHmac, randomBytes } from 'node:crypto';
import { createYielder } from '../../../lib/time-slices.ts';
import { utcDayOf } from '../../../lib/utc-day.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import type { Context } from '../../context.ts';
import type { AudioRequest } from '../audio-request.ts';
import { locateClient } from '../client-place.ts';
import { isOpen, openDays } from '../days.ts';
import { secretForDay, secretForLog } from '../download-secrets.ts';
import type { ObservedRequest } from '../observed-request.ts';
import { type ClientPlace, toAudioRequest } from '../to-audio-request.ts';

/**
 * Replaces addresses with hashes. Requests of open days use the day's secret, so that they unite
 * with those that this service answered itself. Requests of older days use a secret that all logs
 * begun on the same day share, and a key made from it for each day, so that nothing links days.
 */
export async function hideListeners(
  ctx: Context,
  geo: Geo,
  observed: readonly ObservedRequest[],
  logBegunOn: string,
): Promise<AudioRequest[]> {
  const maybeYield = createYielder();
  const secrets = new Map<string, Buffer>();
  const places = new Map<string, ClientPlace>();
  const requests: AudioRequest[] = [];
  for (const request of observed) {
    const day = utcDayOf(request.at);
    const secret = secrets.get(day) ?? (await findSecret(ctx, day, logBegunOn));
    secrets.set(day, secret);
    const place = places.get(request.address) ?? (await locateClient(geo, request.address));
    places.set(request.address, place);
    requests.push(toAudioRequest(request, secret, place));
    await maybeYield();
  }
  return requests;
}

async function findSecret(ctx: Context, day: string, logBegunOn: string): Promise<Buffer> {
  const open = openDays(ctx.clock.now());
  if (isOpen(day, open)) return await secretForDay(ctx, day);
  // Requests of the future are rejected for any client.
  if (day > open.last) return randomBytes(32);
  const shared = await secretForLog(ctx, logBegunOn);
  return createHmac('sha256', shared).update(day).digest();
}
