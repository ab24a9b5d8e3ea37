import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { paletteStyle } from '../server/src/http/pages/palette.ts';
import { compileMessages } from './scripts/compile-messages.ts';

/** The colors of the public pages, as a style sheet: `import 'virtual:palette.css'`. */
const palette: Plugin = {
  name: 'palette',
  resolveId: (id) => (id === 'virtual:palette.css' ? id : undefined),
  load: (id) => (id === 'virtual:palette.css' ? paletteStyle(null, 'auto') : undefined),
};

// It recommends its native transform with every build.
process.env['LINGUI_SUPPRESS_BABEL_WARNING'] = '1';

/** The libraries of the first screen. React Aria comes with the components that need it. */
const coreModules =
  /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store|openapi-fetch|@lingui|@tanstack[\\/](?:react-|query-|router-|history|store)(?!virtual)[a-z-]*)[\\/]/;

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
  ],
  build: {
    target: ['chrome111', 'firefox113', 'safari16.4'],
    manifest: true,
    // The policy of the app allows no data in its style sheets and scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What every screen needs is one file, which compresses better and changes seldom.
          groups: [{ name: 'core', test: coreModules }],
        },
      },
    },
    // The size is measured by `npm run bench -- dashboard`.
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
});
