import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listFollowLinks } from '../../server/src/lib/follow-apps.ts';
import { buildPlayer, listLocales, readWords } from '../scripts/build.ts';

const read = (name: string) => readFile(new URL(`../dist/${name}`, import.meta.url), 'utf8');

/** Compressed, with every feature, and English only; other languages load on demand. */
const mostBytes = 20_000;
const mostVisitBytes = 12_500;

describe('player/dist', () => {
  it('matches the source (npm run player)', async () => {
    const { script, module, visit } = await buildPlayer();
    expect((await read('v1.js')) === script).toBe(true);
    expect((await read('index.js')) === module).toBe(true);
    expect((await read('visit.js')) === visit).toBe(true);
    for (const locale of await listLocales()) {
      expect(await read(`text/${locale}.json`), locale).toBe(await readWords(locale));
    }
  });

  it('player/dist is small in every coding', async () => {
    const script = Buffer.from(await read('v1.js'));
    expect(gzipSync(script).length).toBeLessThanOrEqual(mostBytes);
    expect(brotliCompressSync(script).length).toBeLessThanOrEqual(mostBytes);
  });

  it('the module for visits is small, and pages of other sites never get it', async () => {
    expect(gzipSync(await read('visit.js')).length).toBeLessThanOrEqual(mostVisitBytes);
    expect(await read('v1.js')).not.toContain('podstead-queue');
  });

  it('parses no markup, evaluates no text, and names no other host', async () => {
    const script = await read('v1.js');
    expect(script).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
    const hosts = [...script.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
    const show = { feed: 'https://pods.example/feeds/show.xml', guid: 'x' };
    const followed = listFollowLinks(show);
    const known = followed.flatMap(({ url }) => /^https:\/\/([\w.-]+)/.exec(url)?.[1] ?? []);
    expect(new Set(hosts)).toEqual(new Set(['www.w3.org', ...known]));
  });
});
