import type { Payload } from '../payload.ts';
import type { Answer } from '../route.ts';
import { createPagePayload, type Page } from './page.ts';

/** A page that depends on one address of the installation alone: drawn once for each there is. */
export function drawOnce(draw: (address: string) => Page): (address: string) => Promise<Answer> {
  const payloads = new Map<string, Promise<Payload>>();
  return async (address) => {
    const payload = payloads.get(address) ?? createPagePayload(draw(address));
    payloads.set(address, payload);
    return { kind: 'payload', payload: await payload };
  };
}
