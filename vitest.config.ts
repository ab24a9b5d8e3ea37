import { defineConfig } from 'vitest/config';

// `unit` needs no database; the other two run every *.db.test.ts once per database.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['server/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'pglite',
          include: ['server/**/*.db.test.ts'],
          env: { TEST_DATABASE: 'pglite' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['server/**/*.db.test.ts'],
          env: { TEST_DATABASE: 'postgres' },
        },
      },
    ],
  },
});
