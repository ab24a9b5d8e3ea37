import type { PlanState, Scope } from './enumerations.ts';
import { DomainError, notFound } from './errors.ts';
import type { Relation, Resource } from './relation.ts';

/** Who acts. What each may do is decided by `authorize` of `permissions`. */
export type Principal =
  /** Anyone, without credentials. */
  | { readonly kind: 'public' }
  /** Whoever sits at the machine's command line: may do everything. */
  | { readonly kind: 'operator' }
  /** The service's own background work: may do everything. */
  | { readonly kind: 'system' }
  | UserPrincipal
  | KeyPrincipal;

/** A user who is signed in. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
}

/** A program that holds an API key: a `key` of a person, or that of a connected `site`. */
export interface KeyPrincipal {
  readonly kind: 'key' | 'site';
  /** Whose key it is. */
  readonly userId: string;
  readonly user: {
    readonly name: string;
    readonly email: string;
    /** The terms the user accepted last; null: none. */
    readonly acceptedTerms: string | null;
    /** Of the user's own account. */
    readonly plan: string;
    readonly planState: PlanState;
  };
  readonly key: {
    readonly id: string;
    readonly name: string;
    /** Of the secret that was sent: a rolled key's old one has its own last four and expiry. */
    readonly lastFour: string;
    readonly expiresAt: Date;
    readonly scopes: readonly Scope[];
    readonly allPodcasts: boolean;
    readonly createdAt: Date;
  };
  /** The site whose key this is; undefined for a person's key, and before a site has registered. */
  readonly site: SiteOfKey | undefined;
  /** What the request names, and how the key relates to it: loaded with the key. */
  readonly requested:
    | { readonly resource: Resource; readonly relation: Relation | undefined }
    | undefined;
}

/** A connected site, as its key finds it. */
export interface SiteOfKey {
  readonly id: string;
  /** Its home address. */
  readonly siteUrl: string;
  readonly status: 'pending' | 'active';
  /** Whether its changes include transcripts. */
  readonly transcripts: boolean;
}

interface Acting {
  readonly principal: Principal;
}

export const operator: Principal = { kind: 'operator' };
export const system: Principal = { kind: 'system' };
export const anyone: Principal = { kind: 'public' };

/** True for the operator and the system. */
export function isTrusted({ principal }: Acting): boolean {
  return principal.kind === 'operator' || principal.kind === 'system';
}

/** Refuses everyone but the operator and the service itself. */
export function requireTrusted(acting: Acting): void {
  if (isTrusted(acting)) return;
  throw new DomainError('forbidden', 'Only the service itself can do this.');
}

/** True for this user and for trusted principals. */
export function mayActFor(acting: Acting, userId: string): boolean {
  const { principal } = acting;
  return isTrusted(acting) || (principal.kind === 'user' && principal.userId === userId);
}

/** For verbs on one user's own data: throws not_found for everyone else. */
export function requireSelf(acting: Acting, userId: string): void {
  if (!mayActFor(acting, userId)) throw notFound('user');
}

export function requireOperator({ principal }: Acting): void {
  if (principal.kind === 'operator') return;
  throw new DomainError('forbidden', "Only the installation's operator can do this.");
}

/** The signed-in user's id; refuses everyone else. */
export function requireUser({ principal }: Acting): string {
  if (principal.kind === 'user') return principal.userId;
  throw new DomainError('forbidden', 'Only signed-in users can do this.');
}

/** Who holds the key that came with the request; refuses everyone else. */
export function requireKey({ principal }: Acting): KeyPrincipal {
  if (principal.kind === 'key' || principal.kind === 'site') return principal;
  throw new DomainError('forbidden', 'This requires an API key.');
}
