import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';
import { minify } from 'terser';

/** The first versions with grid, container queries and adopted style sheets. */
const target = ['chrome111', 'firefox113', 'safari16.4'];

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));
const visitEntry = fileURLToPath(new URL('../src/visit/index.ts', import.meta.url));

/**
 * Properties of our own objects only. None is part of a payload, a browser API or the public API.
 */
const ownNames =
  /^(\w+Seconds|\w+Failure|hasMore|toggleMute|loadMore|setRate|setVolume|playback|store|dress|playlistRows|imageUrl|linkUrl|texts|locale|direction|fillPanel|controls|episodes|cues|speaker|framedBy|marker|root|update|skip|choose|retry|state|playing|waiting|panel|seconds|say|list|cursor|unload|save|layout|theme|begin|art|isBright|service|given)$/;

export interface Built {
  /** For `<script src>`: works as a classic script and as a module. */
  readonly script: string;
  /** For bundlers; contains every language. */
  readonly module: string;
  /** The player that stays during a visit to listen pages, which load it on demand. */
  readonly visit: string;
}

/** Builds the files that are served. The same source always gives the same bytes. */
export async function buildPlayer(): Promise<Built> {
  const [script, module, visit] = await Promise.all([
    bundle(entry, 'iife', { mangleProps: ownNames }),
    bundle(entry, 'esm', { mangleProps: ownNames }),
    // It stores objects, so their names stay.
    bundle(visitEntry, 'esm'),
  ]);
  return { script, module, visit };
}

async function bundle(
  from: string,
  format: 'iife' | 'esm',
  options: { readonly mangleProps?: RegExp } = {},
): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [from],
    bundle: true,
    write: false,
    minify: true,
    ...options,
    charset: 'utf8',
    legalComments: 'none',
    format,
    target,
    plugins: [styles, words(format === 'iife')],
  });
  // Terser after esbuild saves three percent over either alone.
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', {
    module: format === 'esm',
    ecma: 2020,
    compress: { passes: 3, pure_getters: true },
  });
  return code;
}

/** Imports a style sheet as minified text. */
const styles: Plugin = {
  name: 'styles',
  setup(context) {
    context.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target,
      });
      // esbuild keeps every space in custom properties and queries.
      return { contents: code.trim().replace(/([:,]) +/g, '$1'), loader: 'text' };
    });
  },
};

/** A translation file as served: JSON without spaces. */
export async function readWords(locale: string): Promise<string> {
  const path = new URL(`../src/text/${locale}.json`, import.meta.url);
  return JSON.stringify(JSON.parse(await readFile(path, 'utf8')));
}

export async function listLocales(): Promise<string[]> {
  const names = await readdir(new URL('../src/text/', import.meta.url));
  return names.flatMap((name) => /^(\w+)\.json$/.exec(name)?.[1] ?? []).sort();
}

/**
 * With `late`, every language but English becomes the hash of its file, which is loaded on demand.
 */
const words = (late: boolean): Plugin => ({
  name: 'words',
  setup(context) {
    context.onLoad({ filter: /\/text\/\w+\.json$/ }, async ({ path }) => {
      const locale = /(\w+)\.json$/.exec(path)?.[1] ?? '';
      const text = await readWords(locale);
      const hash = createHash('sha256').update(text).digest('base64');
      const value = late && locale !== 'en' ? JSON.stringify(hash) : text;
      return { contents: `export default ${value};`, loader: 'js' };
    });
  },
});
