/**
 * All emails, and the values of their templates; a name ending in `?` is optional. The texts are in
 * `templates/NAME.md`: a subject line, then Markdown. `{name}` is replaced with the value; `{
 * name}` includes the space only if there is a value.
 */
export const emailTemplates = {
  /** `until` says how long the link works: 'until …'. */
  'confirm-email': ['name?', 'link', 'until'],
  /** Somebody signed up with an email address that already has an account. */
  'address-known': ['linkSignIn', 'linkReset', 'until'],
  /** Somebody requested a new password for an address without an account; the link signs up. */
  'address-unknown': ['link', 'until'],
  'address-unknown-closed': [],
  'reset-password': ['name', 'link', 'until'],
  'confirm-new-email': ['name', 'link', 'until'],
  /** To the old address. */
  'email-changed': ['name', 'at'],
  'password-changed': ['name', 'at'],
  'account-deleted': ['name', 'at'],
  invitation: ['inviter', 'podcast', 'role', 'link', 'until'],
  'ownership-offer': ['owner', 'podcast', 'link', 'until'],
  'ownership-handed-over': ['podcast', 'from', 'to'],
  'member-removed': ['podcast'],
  'key-created': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'link'],
  /** `grace` says how long the old secret works: 'works until …'. */
  'key-rolled': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'grace', 'link'],
  'key-widened': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'link'],
  'key-expires': ['name', 'key', 'lastFour', 'expires', 'link'],
  'key-new-place': ['name', 'key', 'lastFour', 'country', 'network', 'at', 'link'],
  'site-new-place': ['name', 'address', 'country', 'network', 'at', 'link'],
  'site-expires': ['name', 'address', 'expires', 'link'],
  'site-connected': ['name', 'address', 'podcasts', 'expires', 'link'],
  'site-key-created': ['name', 'podcasts', 'registerBefore', 'link'],
  'keys-cut-off': ['name', 'podcast'],
  /** To the owner of a locked feed, who may not be a user. */
  'feed-code': ['podcast', 'code'],
  /** `state` is a sentence. */
  'plan-changed': ['name', 'plan', 'state'],
  /** `consequence` is one or more sentences. */
  'overage-near': ['name', 'plan', 'month', 'downloads', 'limit', 'renews', 'consequence'],
  'overage-reached': ['name', 'plan', 'month', 'downloads', 'limit', 'renews', 'consequence'],
  /** The suspension begins. */
  'overage-suspended': ['name', 'plan', 'month', 'downloads', 'limit', 'renews'],
  'storage-near': ['name', 'plan', 'used', 'included'],
} as const satisfies Record<string, readonly string[]>;

export type EmailTemplate = keyof typeof emailTemplates;

type Name<T extends EmailTemplate> = (typeof emailTemplates)[T][number];
type Optional<N extends string> = N extends `${infer Bare}?` ? Bare : never;

/** All values are display texts: times are formatted, links are absolute. */
export type EmailValues<T extends EmailTemplate = EmailTemplate> = {
  readonly [N in Exclude<Name<T>, `${string}?`>]: string;
} & { readonly [N in Optional<Name<T>>]?: string | undefined };

/** Values that every template may use: the service's own address. */
export const commonValues = ['site'] as const;

/** Links are absolute URLs of this service; all other values are user text. */
export const isLink = (name: string): boolean => name.startsWith('link');
