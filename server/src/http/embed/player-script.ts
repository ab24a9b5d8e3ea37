import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BlobStore } from '../../platform/blob-store/blob-store.ts';

/** The web component: one file, of which `npm run player` makes another version. */
export interface PlayerScript {
  readonly text: string;
  /** Of its immutable address: `v1.` and a part of its hash. */
  readonly fileName: string;
  /** Subresource Integrity: what a page writes that wants these bytes and no others. */
  readonly integrity: string;
}

export const playerScriptType = 'text/javascript; charset=utf-8';

/** As of this version, read once when the process starts. */
export const playerScript: PlayerScript = describeScript(
  readFileSync(new URL('../../../../player/dist/v1.js', import.meta.url), 'utf8'),
);

export function describeScript(text: string): PlayerScript {
  const digest = (algorithm: 'sha256' | 'sha384') => createHash(algorithm).update(text);
  return {
    text,
    fileName: `v1.${digest('sha256').digest('hex').slice(0, 16)}.js`,
    integrity: `sha384-${digest('sha384').digest('base64')}`,
  };
}

/** Where the file store keeps every version that was ever served; undefined for another name. */
export function tryScriptKey(fileName: string): string | undefined {
  return /^v1\.[0-9a-f]{16}\.js$/.test(fileName) ? `player/${fileName}` : undefined;
}

/**
 * Puts this version beside those before it: pages elsewhere name it by its hash, and go on doing so
 * when the next version is served.
 */
export async function keepPlayerScript(
  blobs: BlobStore,
  { fileName, text } = playerScript,
): Promise<void> {
  const key = `player/${fileName}`;
  if ((await blobs.stat(key)) !== undefined) return;
  await blobs.put(key, Buffer.from(text), playerScriptType);
}
