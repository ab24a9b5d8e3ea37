import type { Site } from './site.ts';

/** Pending or active: its key works. */
export function isConnected({ status }: Pick<Site, 'status'>): boolean {
  return status === 'pending' || status === 'active';
}
