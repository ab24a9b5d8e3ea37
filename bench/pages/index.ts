import type { Bench } from '../bench.ts';
import { lighthousePart } from './lighthouse.ts';
import { loadingPart } from './loading.ts';

/** What the public pages cost their readers. */
export const pagesBench: Bench = {
  name: 'pages',
  about: 'the public pages on a slow telephone: bytes, loading, blocking, shifts, Lighthouse',
  parts: [loadingPart, lighthousePart],
};
