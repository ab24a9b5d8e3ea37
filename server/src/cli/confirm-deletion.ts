import type { CommandIo } from './command-io.ts';
import { CancelledError, CommandError } from './describe-failure.ts';

interface Deletion {
  /** Completes "This deletes … permanently". */
  readonly what: string;
  readonly isConfirmed: boolean;
  /** Without a terminal: refuse, or delete without asking. */
  readonly withoutTerminal: 'refuse' | 'delete';
}

/** Asks on a terminal before something is deleted; throws if it must not be. */
export async function confirmDeletion(
  io: Pick<CommandIo, 'canAsk' | 'ask'>,
  { what, isConfirmed, withoutTerminal }: Deletion,
): Promise<void> {
  if (isConfirmed) return;
  if (io.canAsk) {
    const response = await io.ask(`This permanently deletes ${what}. Continue? [y/N] `);
    if (/^\s*y(?:es)?\s*$/i.test(response)) return;
    throw new CancelledError('Nothing was deleted.');
  }
  if (withoutTerminal === 'refuse') {
    throw new CommandError(`This permanently deletes ${what}. Add --yes to continue.`);
  }
}
