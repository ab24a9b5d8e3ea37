import { readFileSync } from 'node:fs';

/** The files beside this module, read once when the process starts, without what browsers skip. */

export function readStyle(...names: readonly string[]): string {
  return names
    .map((name) => readAsset(name))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
    .trim();
}

/** Named by its URL, so that tools that look for unused modules see that this one is used. */
export function readScript(file: URL): string {
  return readFileSync(file, 'utf8')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n')
    .trim();
}

export function readAsset(name: string): string {
  return readAssetBytes(name).toString('utf8');
}

export function readAssetBytes(name: string): Buffer {
  return readFileSync(new URL(`assets/${name}`, import.meta.url));
}
