import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';
import { mayHaveRegexps } from './server/scripts/may-have-regexps.ts';

/** Other sources are not parsed: the type checker does that. */
const parserOfRegexps = {
  meta: parser.meta,
  parseForESLint: (source, options) =>
    parser.parseForESLint(mayHaveRegexps(source) ? source : '', options),
};

// Biome does the rest. These two rules find regular expressions that a text can make slow.
export default [
  {
    files: ['{server,player,dashboard}/src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', '**/*.d.ts'],
    languageOptions: { parser: parserOfRegexps },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      // A sticky expression begins where the last match ended, and nowhere else.
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
    },
  },
];
