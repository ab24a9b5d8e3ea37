import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { formatter } from '@lingui/format-po';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';
import config from '../../lingui.config.ts';

const locales = config.locales.filter((locale) => locale !== config.sourceLocale);

it.each(locales)('%s has the messages of the source, and no others', async (locale) => {
  const [source, catalog] = await Promise.all([extracted(), readCatalog(locale)]);
  expect({
    missing: source.filter((id) => !catalog.has(id)),
    needless: [...catalog.keys()].filter((id) => !source.includes(id)),
  }).toEqual({ missing: [], needless: [] });
});

describe.each(locales)('%s', (locale) => {
  it('translates every message', async () => {
    const empty = [...(await readCatalog(locale))].filter(([, { translation }]) => !translation);
    expect(empty.map(([id]) => id)).toEqual([]);
  });

  it('a catalog has the placeholders, the tags and the plural forms that a message needs', async () => {
    const faults: string[] = [];
    for (const { message, translation } of (await readCatalog(locale)).values()) {
      if (translation === '') continue;
      faults.push(...faultsOf(message, translation, locale).map((fault) => `${message}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });
});

it.each([
  ['Hello {name}', 'Hallo'],
  ['Hello {name}', 'Hallo {nam}'],
  ['Hello {name}', 'Hallo {name'],
  ['<0>Read</0> it', 'Lesen Sie es'],
  ['<0>Read</0> it', '<0>Lesen Sie</0> <1/> es'],
  ['<0>Read</0> it', '<0>Lesen Sie<0> es'],
  ['{n, plural, one {# day} other {# days}}', '{n, plural, one {# Tag}}'],
  ['{n, plural, one {# day} other {# days}}', '{n, plural, one {# Tag} many {# Tage} other {#}}'],
])('finds the fault of %j as %j', (message, translation) => {
  expect(faultsOf(message, translation, 'de')).not.toEqual([]);
});

interface Entry {
  readonly message: string;
  readonly translation: string;
}

async function readCatalog(
  locale: string,
  path = join(import.meta.dirname, `${locale}.po`),
): Promise<Map<string, Entry>> {
  const format = formatter({ origins: false });
  const text = await readFile(path, 'utf8');
  const context = { locale, sourceLocale: config.sourceLocale ?? 'en', filename: path };
  const catalog = await format.parse(text, context);
  return new Map(
    Object.entries(catalog).map(([id, { message = id, translation = '' }]) => [
      id,
      { message, translation },
    ]),
  );
}

let extraction: Promise<readonly string[]> | undefined;

/** The ids of the messages in the source now, as Lingui's own extraction finds them. */
function extracted(): Promise<readonly string[]> {
  extraction ??= extract();
  return extraction;
}

async function extract(): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'words-'));
  try {
    const configPath = join(folder, 'lingui.config.json');
    const settings = {
      sourceLocale: config.sourceLocale,
      locales: [config.sourceLocale],
      rootDir: join(import.meta.dirname, '../..'),
      catalogs: config.catalogs?.map((catalog) => ({ ...catalog, path: join(folder, '{locale}') })),
    };
    await writeFile(configPath, JSON.stringify(settings));
    const cli = dirname(createRequire(import.meta.url).resolve('@lingui/cli'));
    const options = [join(cli, 'lingui-extract.js'), '--config', configPath, '--workers', '1'];
    await promisify(execFile)(process.execPath, options);
    const found = await readCatalog('en', join(folder, `${config.sourceLocale}.po`));
    return [...found.keys()];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Why a translation cannot be used for its message. */
function faultsOf(message: string, translation: string, locale: string): string[] {
  try {
    const faults: string[] = [];
    const [wanted, given] = [partsOf(message), partsOf(translation, locale)];
    if (wanted.join() !== given.join()) faults.push(`has ${given.join()}, not ${wanted.join()}`);
    if (translation.trim() !== translation) faults.push('begins or ends with a space');
    return faults;
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Names of the values, and tags. Checks the plural forms, if the locale is given. */
function partsOf(message: string, locale?: string): string[] {
  const parts = new Set<string>();
  const texts: string[] = [];
  visit(compileMessageOrThrow(message));
  for (const text of texts) {
    const open: string[] = [];
    for (const [tag, closes = '', name = '', isSingle] of text.matchAll(/<(\/?)(\d+)(\/?)>/g)) {
      if (isSingle) parts.add(tag);
      else if (closes === '') open.push(name);
      else if (open.pop() === name) parts.add(tag);
      else throw new Error(`${tag} closes nothing`);
    }
    if (open.length > 0) throw new Error(`<${open.join()}> is not closed`);
  }
  return [...parts].sort();

  function visit(tokens: ReturnType<typeof compileMessageOrThrow>): void {
    // A tag may have values inside, so the texts between them belong together.
    texts.push(tokens.filter((token) => typeof token === 'string').join(''));
    for (const token of tokens) {
      if (typeof token === 'string') continue;
      const [name, kind, forms] = token;
      parts.add(`{${name}}`);
      if (typeof forms !== 'object' || forms === null) continue;
      const { offset: _, ...cases } = forms as Record<string, never>;
      if (kind === 'plural' && locale !== undefined) checkForms(Object.keys(cases), locale);
      for (const inner of Object.values(cases)) visit(inner);
    }
  }
}

function checkForms(given: readonly string[], locale: string): void {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  const forms = given.filter((form) => !/^\d+$/.test(form)).sort();
  if (forms.join() !== [...pluralCategories].sort().join()) {
    throw new Error(`has the forms ${forms.join()}, not ${pluralCategories.join()}`);
  }
}
