import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, transform } from 'esbuild';
import { minify } from 'terser';

/** Where grids, container queries and adopted style sheets are known. */
const target = ['chrome111', 'firefox113', 'safari16.4'];

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

/** Of our own objects alone: in no payload, in no interface of the browser, told to nobody. */
const ownNames =
  /^(\w+Seconds|\w+Failure|hasMore|toggleMute|loadMore|setRate|setVolume|playback|store|dress|playlistRows|imageUrl|linkUrl|texts|locale|direction|fillPanel|controls|episodes|cues|speaker|framedBy|marker|root|update|skip|choose|retry|state|playing|waiting|panel|seconds|say|list|cursor|unload|save|layout|theme|begin|art)$/;

export interface Built {
  /** For `<script src>`, as a classic script or a module. */
  readonly script: string;
  /** For bundlers. */
  readonly module: string;
}

/** The player as it is served: the same source gives the same bytes. */
export async function buildPlayer(): Promise<Built> {
  const [script, module] = await Promise.all([bundle('iife'), bundle('esm')]);
  return { script, module };
}

async function bundle(format: 'iife' | 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify: true,
    mangleProps: ownNames,
    charset: 'utf8',
    legalComments: 'none',
    format,
    target,
    plugins: [styles, words],
  });
  // What esbuild leaves: together they make it three percent smaller than either alone.
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', {
    module: format === 'esm',
    ecma: 2020,
    compress: { passes: 3 },
  });
  return code;
}

/** A style sheet is a text, smaller than it was written. */
const styles: Plugin = {
  name: 'styles',
  setup(context) {
    context.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        loader: 'css',
        minify: true,
        target,
      });
      // It keeps every space in the values of custom properties, and in queries.
      return { contents: code.trim().replace(/([:,]) +/g, '$1'), loader: 'text' };
    });
  },
};

/** The words of a language as one text, in the order of the English ones, whose names are said once. */
const words: Plugin = {
  name: 'words',
  setup(context) {
    const english = new URL('../src/text/en.json', import.meta.url);
    const readNames = async () => Object.keys(await readJson(english));
    context.onResolve({ filter: /^names-of-words$/ }, ({ path }) => ({ path, namespace: 'words' }));
    context.onLoad({ filter: /./, namespace: 'words' }, async () => ({
      contents: `const names = ${JSON.stringify((await readNames()).join('|'))}.split('|');
        export const unpack = (text) =>
          Object.fromEntries(text.split('|').map((words, i) => [names[i], words]));`,
    }));
    context.onLoad({ filter: /\/text\/\w+\.json$/ }, async ({ path }) => {
      const own = await readJson(path);
      const packed = (await readNames()).map((name) => own[name] ?? '').join('|');
      return {
        contents: `import { unpack } from 'names-of-words';
          export default unpack(${JSON.stringify(packed)});`,
        loader: 'js',
        resolveDir: '/',
      };
    });
  },
};

async function readJson(path: string | URL): Promise<Record<string, string>> {
  return JSON.parse(await readFile(path, 'utf8'));
}
