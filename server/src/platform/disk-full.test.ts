import { expect, it } from 'vitest';
import { EmbeddedDatabaseCrashedError } from './database/embedded/embedded-engine.ts';
import { isDiskFull } from './disk-full.ts';

it.each([
  [Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }), true],
  [Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' }), true],
  [Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' }), true],
  [Object.assign(new Error('out of memory'), { code: '53200', severity: 'ERROR' }), false],
  [Object.assign(new Error('no such file'), { code: 'ENOENT' }), false],
  [new Error('ENOSPC'), false],
  [
    new EmbeddedDatabaseCrashedError(
      'RuntimeError: Aborted(). Build with -sASSERTIONS for more info.\n2026-11-29 10:06:14.218 UTC ' +
        '[42] PANIC:  could not write to file "pg_logical/replorigin_checkpoint.tmp": No space left ' +
        'on device\nAborted()',
    ),
    true,
  ],
  [new EmbeddedDatabaseCrashedError('RuntimeError: Aborted()'), false],
  [undefined, false],
])('%s: %s', (error, full) => expect(isDiskFull(error)).toBe(full));
