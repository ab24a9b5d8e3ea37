import { DomainError } from './errors.ts';

/** Who acts. The operator sits at the machine's command line and may do everything. */
export type Actor =
  | { readonly kind: 'operator' }
  | { readonly kind: 'system' } // the service's own background work
  | { readonly kind: 'public' } // anyone, without credentials
  | { readonly kind: 'user'; readonly userId: string };

export const operator: Actor = { kind: 'operator' };
export const system: Actor = { kind: 'system' };
export const anyone: Actor = { kind: 'public' };

/** The signed-in user's id; refuses everyone else. */
export function requireUser(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId;
  throw new DomainError('forbidden', 'This is for signed-in users.');
}
