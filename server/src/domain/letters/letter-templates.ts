/**
 * Every letter there is, and the values that its template names; one ending in `?` may be left out.
 * The words stand in `templates/NAME.md`: a line of subject, then Markdown. `{name}` stands for a
 * value; a blank within the braces, as in `{ name}`, comes with the value and goes with it.
 */
export const letterTemplates = {
  'confirm-email': ['name?', 'link'],
  /** Somebody signed up with an address that has an account. */
  'address-known': ['linkSignIn', 'linkReset'],
  /** Somebody asked for a new password where there is no account; the link signs up. */
  'address-unknown': ['link'],
  'address-unknown-closed': [],
  'reset-password': ['name', 'link'],
  'confirm-new-email': ['name', 'link'],
  /** To the old address. */
  'email-changed': ['name', 'at'],
  'password-changed': ['name', 'at'],
  invitation: ['inviter', 'podcast', 'role', 'link'],
  'ownership-offer': ['owner', 'podcast', 'link'],
  'ownership-handed-over': ['podcast', 'from', 'to'],
  'member-removed': ['podcast'],
  'key-created': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'link'],
  /** `grace` says what becomes of the old secret: 'works until …'. */
  'key-rolled': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'grace', 'link'],
  'key-widened': ['name', 'key', 'lastFour', 'scopes', 'podcasts', 'expires', 'link'],
  'key-expires': ['name', 'key', 'lastFour', 'expires', 'link'],
  'key-new-place': ['name', 'key', 'lastFour', 'country', 'network', 'at', 'link'],
  'keys-cut-off': ['name', 'podcast'],
  /** `state` is a sentence. */
  'plan-changed': ['name', 'plan', 'state'],
} as const satisfies Record<string, readonly string[]>;

export type LetterTemplate = keyof typeof letterTemplates;

type Name<T extends LetterTemplate> = (typeof letterTemplates)[T][number];
type Optional<N extends string> = N extends `${infer Bare}?` ? Bare : never;

/** All are texts for people: moments are formatted, links complete. */
export type LetterValues<T extends LetterTemplate = LetterTemplate> = {
  readonly [N in Exclude<Name<T>, `${string}?`>]: string;
} & { readonly [N in Optional<Name<T>>]?: string | undefined };

/** What every template may name besides: the service's own address. */
export const standingValues = ['site'] as const;

/** Links are complete addresses of this service; everything else is text that people wrote. */
export const isLink = (name: string): boolean => name.startsWith('link');
