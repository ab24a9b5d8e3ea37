import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { detectPlatform } from '../../lib/follow-apps.ts';
import type { BlobStore } from '../../platform/blob-store/blob-store.ts';
import { readScript } from '../pages/assets.ts';

/** A file of the player, under a name that includes the hash of its bytes. */
export interface PlayerFile {
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
}

/** The web component as built by `npm run player`. */
export interface PlayerScript extends PlayerFile {
  /** The Subresource Integrity value for pages that pin this version. */
  readonly integrity: string;
}

const scriptType = 'text/javascript; charset=utf-8';
const wordsType = 'application/json; charset=utf-8';
const dist = new URL('../../../../player/dist/', import.meta.url);

const digestOf = (algorithm: 'sha256' | 'sha384', text: string) =>
  createHash(algorithm).update(text);

/** The current version, read once at the start of the process. */
export const playerScript: PlayerScript = describeScript(
  readFileSync(new URL('v1.js', dist), 'utf8'),
);

/** The player that stays during a visit: a module that listen pages load on demand. */
export const visitScript: PlayerScript = describeScript(
  readFileSync(new URL('visit.js', dist), 'utf8'),
  'visit',
);

const asset = (name: string) => readScript(new URL(`../pages/assets/${name}`, import.meta.url));

/** What enhances listen pages: the same on all, because a visit exchanges pages below it (PAGE-19). */
export const listenScript: PlayerScript = describeScript(
  `${detectPlatform}\n${asset('listen.js')}\n${asset('episode.js')}`,
  'listen',
);

/** The player's translations; it loads the one that it needs. */
export const playerWords: readonly PlayerFile[] = readdirSync(new URL('text/', dist)).map((name) =>
  describeWords(name.replace('.json', ''), readFileSync(new URL(`text/${name}`, dist), 'utf8')),
);

export function describeScript(text: string, name: 'v1' | 'visit' | 'listen' = 'v1'): PlayerScript {
  return {
    text,
    contentType: scriptType,
    fileName: `${name}.${digestOf('sha256', text).digest('hex').slice(0, 16)}.js`,
    integrity: `sha384-${digestOf('sha384', text).digest('base64')}`,
  };
}

/** The player contains the whole hash, as the name and the integrity of the file. */
export function describeWords(locale: string, text: string): PlayerFile {
  const hash = digestOf('sha256', text).digest('hex');
  return { text, contentType: wordsType, fileName: `v1.${locale}.${hash}.json` };
}

/** The content type of a file name; undefined for a name that no version has. */
export function tryReadFileName(
  fileName: string,
): { readonly key: string; readonly hash: string; readonly contentType: string } | undefined {
  const [, script, words] =
    /^(?:(?:v1|visit|listen)\.([0-9a-f]{16})\.js|v1\.[a-z]{2,3}\.([0-9a-f]{64})\.json)$/.exec(
      fileName,
    ) ?? [];
  const hash = script ?? words;
  if (hash === undefined) return undefined;
  return {
    key: `player/${fileName}`,
    hash,
    contentType: script === undefined ? wordsType : scriptType,
  };
}

/**
 * Stores this version beside earlier ones, because pages of other sites use them by their hash.
 * Translations come first, because the script refers to them.
 */
export async function keepPlayer(
  blobs: BlobStore,
  files: readonly PlayerFile[] = [...playerWords, listenScript, visitScript, playerScript],
): Promise<void> {
  for (const { fileName, text, contentType } of files) {
    const key = `player/${fileName}`;
    if ((await blobs.stat(key)) !== undefined) continue;
    await blobs.put(key, Buffer.from(text), contentType);
  }
}
