import type { Payload } from '../payload.ts';
import type { Answer } from '../route.ts';
import { createPagePayload, type Page } from './page.ts';

/** A page that depends only on URLs of the installation; rendered once for each combination. */
export function renderOnce(
  render: (...addresses: string[]) => Page,
): (...addresses: string[]) => Promise<Answer> {
  const payloads = new Map<string, Promise<Payload>>();
  return async (...addresses) => {
    const key = addresses.join(' ');
    const payload = payloads.get(key) ?? createPagePayload(render(...addresses));
    payloads.set(key, payload);
    return { kind: 'payload', payload: await payload };
  };
}
