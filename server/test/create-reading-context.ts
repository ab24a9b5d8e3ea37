import type { ReadingContext } from '../src/domain/foundation/read-foreign.ts';
import { createLog } from '../src/platform/log/log.ts';
import { SharedProcesses } from './shared-processes.ts';

/** What reading files needs, without a database. */
export function createReadingContext(): ReadingContext & AsyncDisposable {
  const processes = new SharedProcesses();
  return {
    processes,
    principal: { kind: 'operator' },
    log: createLog('silent'),
    [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
  };
}
