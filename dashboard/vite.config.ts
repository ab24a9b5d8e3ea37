import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { paletteStyle } from '../server/src/http/pages/palette.ts';
import { compileMessages } from './scripts/compile-messages.ts';
import { writePreloads } from './scripts/write-preloads.ts';
import { languages } from './src/words/languages.ts';

/** The colors of the public pages, as a style sheet: `import 'virtual:palette.css'`. */
const palette: Plugin = {
  name: 'palette',
  resolveId: (id) => (id === 'virtual:palette.css' ? id : undefined),
  load: (id) => (id === 'virtual:palette.css' ? paletteStyle(null, 'auto') : undefined),
};

// It recommends its native transform with every build.
process.env['LINGUI_SUPPRESS_BABEL_WARNING'] = '1';

/** The libraries of every screen: they change seldom. React Aria comes with the components that need it. */
const coreModules =
  /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@lingui|@tanstack[\\/](?:react-|query-|router-|history|store)(?!virtual)[a-z-]*)[\\/]/;

/** What stands around every screen, and home. */
const firstModules =
  /dashboard[\\/]src[\\/](routes|words[\\/]language|api[\\/]query-client)\.tsx?$/;

/** The controls that most other screens need. */
const controlModules =
  /dashboard[\\/]src[\\/]components[\\/](dialog|menu|select|text-field|checkbox|radio-group|form)\.tsx$/;

/** What else of our own several screens need: without this each module would be a file. */
const sharedModules = /dashboard[\\/]src[\\/](api|lib|components|deletions)[\\/]|lucide-react/;

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
    writePreloads,
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
      output: {
        codeSplitting: {
          // Few large files: a browser waits for each, and larger ones compress better. A group contains
          // all that its modules import, except what a group of higher priority has.
          groups: [
            { name: 'core', test: coreModules, priority: 3 },
            { name: 'app', test: firstModules, priority: 2 },
            { name: 'controls', test: controlModules, priority: 1 },
            { name: 'shared', test: sharedModules, minShareCount: 3 },
          ],
        },
      },
    },
    // The size is measured by `npm run bench -- dashboard`.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
});
