import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

export default defineConfig({
  sourceLocale: 'en',
  // Where a message stands changes with every line above it.
  format: formatter({ origins: false }),
  locales: ['en', 'de', 'es', 'fr', 'ja', 'ar'],
  catalogs: [{ path: '<rootDir>/src/words/{locale}', include: ['<rootDir>/src'] }],
});
