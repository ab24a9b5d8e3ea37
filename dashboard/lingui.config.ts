import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';
import { languages } from '../server/src/lib/languages.ts';

export default defineConfig({
  sourceLocale: 'en',
  // Where a message stands changes with every line above it.
  format: formatter({ origins: false }),
  locales: Object.keys(languages),
  catalogs: [{ path: '<rootDir>/src/words/{locale}', include: ['<rootDir>/src'] }],
});
