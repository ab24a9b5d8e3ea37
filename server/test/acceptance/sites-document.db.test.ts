import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { loadSeedFile } from '../../src/domain/service/seeding/index.ts';
import { createTestApp } from '../create-test-app.ts';
import { freePort } from '../free-port.ts';

/** Runs the walk-through of docs/sites.md line by line. */

const document = readFileSync(new URL('../../../docs/sites.md', import.meta.url), 'utf8');
const [, walkThrough = ''] = document.split('## Walk-through\n');
const blocks = [...walkThrough.matchAll(/^```(sh|json)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => ({ language, text }),
);

const run = promisify(execFile);
const tools = await Promise.allSettled([run('curl', ['--version']), run('openssl', ['version'])]);
const isMissing = tools.some(({ status }) => status === 'rejected');
if (isMissing) console.warn('SKIPPED: docs/sites.md is not tried, there is no curl or openssl.');

const isPlaceholder = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Z]+(?:_[A-Z]+)*$/.test(value);
const isTime = (value: unknown) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) && value.endsWith('Z');

/** Compares the output with the document, and records the values of its placeholders. */
function compare(shown: unknown, real: unknown, known: Map<string, string>, path: string): void {
  if (isPlaceholder(shown)) {
    expect(real, path).toBe(known.get(shown) ?? real);
    expect(real, path).toMatch(/^[\w-]{36,}$/);
    known.set(shown, String(real));
  } else if (isTime(shown)) {
    expect(isTime(real), `${path}: ${real}`).toBe(true);
  } else if (Array.isArray(shown)) {
    expect(real, path).toHaveLength(shown.length);
    for (const [index, item] of shown.entries()) {
      compare(item, (real as unknown[])[index], known, `${path}[${index}]`);
    }
  } else if (typeof shown === 'object' && shown !== null) {
    const names = Object.keys(shown);
    // The document shortens episodes.
    if (path.endsWith('.episode')) expect(Object.keys(real as object)).toContain(names[0]);
    else expect(Object.keys(real as object).sort(), path).toEqual(names.sort());
    for (const [name, value] of Object.entries(shown)) {
      compare(value, (real as Record<string, unknown>)[name], known, `${path}.${name}`);
    }
  } else if (!/\.(?:docs_url|request_id)$/.test(path)) {
    expect(real, path).toEqual(shown);
  }
}

it.skipIf(isMissing)(
  'a site that follows the document is connected, reads changes and reports posts',
  async () => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    await using app = await createTestApp({ BASE_URL: base });
    app.clock.set(new Date());
    await app.http.server.listen({ port, host: '127.0.0.1' });

    const [seed, ...steps] = blocks;
    const path = join(app.config.dataDir, 'sites.json');
    await writeFile(path, seed?.text ?? '');
    const { sites, podcasts } = await loadSeedFile(app.ctx, app.geo, { path });
    const site = sites['blog'];
    const known = new Map([
      ['BASE', base],
      ['CODE', site && 'code' in site ? site.code : ''],
      ['PODCAST_ID', podcasts['show']?.id ?? ''],
    ]);

    let assigned = '';
    const printed: string[] = [];
    for (const { language, text } of steps) {
      if (language === 'json') {
        compare(JSON.parse(text), JSON.parse(printed.at(-1) ?? ''), known, '');
        continue;
      }
      assigned += (text.match(/^[A-Z]+=.*\n/gm) ?? []).join('');
      const env = { ...process.env, ...Object.fromEntries(known) };
      const script = `set -euo pipefail\n${assigned}${text}`;
      printed.push((await run('bash', ['-c', script], { env })).stdout);
    }
    expect(printed).toHaveLength(10);
    const {
      sites: [{ code_challenge: challenge } = { code_challenge: '' }],
    } = JSON.parse(seed?.text ?? '');
    expect(printed[0]).toBe(challenge);
    const signed = `1772366400.{"site_id":"${known.get('SITE_ID')}","seq":2}`;
    const secret = known.get('PING_SECRET') ?? '';
    const signature = createHmac('sha256', secret).update(signed).digest('hex');
    expect(printed).toContain(`${signature}\n`);
  },
);
