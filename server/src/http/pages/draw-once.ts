import type { Payload } from '../payload.ts';
import type { Answer } from '../route.ts';
import { createPagePayload, type Page } from './page.ts';

/** A page that depends on the installation's address alone: drawn once for each there is. */
export function drawOnce(draw: (baseUrl: string) => Page): (baseUrl: string) => Promise<Answer> {
  const payloads = new Map<string, Promise<Payload>>();
  return async (baseUrl) => {
    const payload = payloads.get(baseUrl) ?? createPagePayload(draw(baseUrl));
    payloads.set(baseUrl, payload);
    return { kind: 'payload', payload: await payload };
  };
}
