import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { paletteStyle } from '../server/src/http/pages/palette.ts';
import { languages } from '../server/src/lib/languages.ts';
import { compileMessages } from './scripts/compile-messages.ts';
import { compressAssets } from './scripts/compress-assets.ts';
import { writePreloads } from './scripts/write-preloads.ts';
import { writeWorker } from './scripts/write-worker.ts';
import { listZoneCountries } from './scripts/zone-countries.ts';

/** The colors of the public pages: the system's scheme, unless the person chose one in the app. */
const chosen = (scheme: 'light' | 'dark') =>
  paletteStyle(null, scheme).replace(':root', `:root[data-scheme=${scheme}]`);
const colors = paletteStyle(null, 'auto') + chosen('light') + chosen('dark');

/** As a style sheet: `import 'virtual:palette.css'`. */
const palette: Plugin = {
  name: 'palette',
  resolveId: (id) => (id === 'virtual:palette.css' ? id : undefined),
  load: (id) => (id === 'virtual:palette.css' ? colors : undefined),
};

/** `import countries from 'virtual:zone-countries'` */
const zoneCountries: Plugin = {
  name: 'zone-countries',
  resolveId: (id) => (id === 'virtual:zone-countries' ? id : undefined),
  load: (id) =>
    id === 'virtual:zone-countries'
      ? `export default ${JSON.stringify(listZoneCountries())}`
      : undefined,
};

// It recommends its native transform with every build.
process.env['LINGUI_SUPPRESS_BABEL_WARNING'] = '1';

/** The libraries of every screen: they change seldom. React Aria comes with the components that need it. */
const coreModules =
  /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@lingui|@tanstack[\\/](?:react-|query-|router-|history|store)(?!virtual)[a-z-]*)[\\/]/;

/** What stands around every screen, home, and what others share with the controls of React Aria. */
const firstModules =
  /dashboard[\\/]src[\\/](routes|words[\\/]language|api[\\/]query-client|components[\\/](confirm-dialog|native-select))\.tsx?$/;

/** What else of our own several screens need: without this each module would be a file. */
const sharedModules = /dashboard[\\/]src[\\/](api|lib|components|deletions)[\\/]|lucide-react/;

/** Screens without a control of React Aria do not wait for it. */
const nameShared: Rolldown.CodeSplittingNameFunction = (id, context) => {
  const seen = new Set<string>();
  const needsAria = (module: string): boolean => {
    if (module.includes('react-aria')) return true;
    if (seen.has(module)) return false;
    seen.add(module);
    return context.getModuleInfo(module)?.importedIds.some(needsAria) === true;
  };
  return needsAria(id) ? 'controls' : 'shared';
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [
    react(),
    lingui({ cwd: import.meta.dirname }),
    // Its own transform is a native module for Node 22, which npm leaves away where Node 20 installs it.
    // English stands in the source, so it needs no catalog.
    babel({
      presets: [
        linguiTransformerBabelPreset({ descriptorFields: 'message' }, { cwd: import.meta.dirname }),
      ],
    }),
    compileMessages,
    palette,
    zoneCountries,
    writePreloads,
    writeWorker,
    compressAssets,
    // React Aria brings its words in thirty languages.
    optimizeLocales.vite({ locales: Object.keys(languages) }),
  ],
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    manifest: true,
    // The policy of the app allows no data in its style sheets and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All of it is as large as an icon or two: one file, which no screen waits for.
    cssCodeSplit: false,
    rolldownOptions: {
      // Most of a build's time is Babel's, which is known.
      checks: { pluginTimings: false },
      input: { index: 'index.html', worker: 'src/offline/worker.ts' },
      output: {
        // A service worker is found by its name.
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        codeSplitting: {
          // Few large files: a browser waits for each, and larger ones compress better. A group contains
          // all that its modules import, except what a group of higher priority has.
          groups: [
            { name: 'core', test: coreModules, priority: 2 },
            { name: 'app', test: firstModules, priority: 1 },
            { name: nameShared, debugName: 'shared', test: sharedModules, minShareCount: 3 },
          ],
        },
      },
    },
    // The size is measured by `npm run bench -- dashboard`.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
});
