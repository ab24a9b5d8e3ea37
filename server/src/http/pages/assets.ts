import { readFileSync } from 'node:fs';

/** Reads assets beside this module once at the start, without comments and extra space. */

export function readStyle(...names: readonly string[]): string {
  return names
    .map((name) => readAsset(name))
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replace(/(?<=[ :(,-])0\./g, '.')
    .replaceAll(';}', '}')
    .trim();
}

/** By URL, so that tools for unused modules see the reference. */
export function readScript(file: URL): string {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
    .trim();
}

export function readAsset(name: string): string {
  return readAssetBytes(name).toString('utf8');
}

export function readAssetBytes(name: string): Buffer {
  return readFileSync(new URL(`assets/${name}`, import.meta.url));
}
