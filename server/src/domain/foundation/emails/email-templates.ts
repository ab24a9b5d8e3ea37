import type { EmailValue, ValueKind } from './email-values.ts';

/**
 * All emails, and the kinds of their values; a kind ending in `?` is optional. The texts are in
 * `templates/NAME.md`: a subject line, then Markdown. `{name}` is replaced with the value; `{
 * name}` includes the space only if there is a value.
 */
export const emailTemplates = {
  'confirm-email': { name: 'text?', link: 'link', until: 'moment' },
  /** Somebody signed up with an email address that already has an account. */
  'address-known': { linkSignIn: 'link', linkReset: 'link', until: 'moment' },
  /** Somebody requested a new password for an address without an account; the link signs up. */
  'address-unknown': { link: 'link', until: 'moment' },
  'address-unknown-closed': {},
  'reset-password': { name: 'text', link: 'link', until: 'moment' },
  'confirm-new-email': { name: 'text', link: 'link', until: 'moment' },
  /** To the old address. */
  'email-changed': { name: 'text', at: 'moment' },
  'password-changed': { name: 'text', at: 'moment' },
  'account-deleted': { name: 'text', at: 'moment' },
  invitation: { inviter: 'text', podcast: 'text', role: 'role', link: 'link', until: 'moment' },
  'ownership-offer': { owner: 'text', podcast: 'text', link: 'link', until: 'moment' },
  'ownership-handed-over': { podcast: 'text', from: 'text', to: 'text' },
  'member-removed': { podcast: 'text' },
  /** To the owner, if a member has set it. */
  'domain-set': { name: 'text', member: 'text', podcast: 'text', domain: 'text', link: 'link' },
  'key-created': { ...ofKey(), ...ofAccess() },
  'key-rolled': { ...ofKey(), ...ofAccess(), grace: 'sentence' },
  'key-widened': { ...ofKey(), ...ofAccess() },
  'key-expires': { ...ofKey(), expires: 'moment' },
  'key-new-place': { ...ofKey(), ...ofPlace() },
  'site-new-place': { ...ofSite(), ...ofPlace() },
  'site-expires': { ...ofSite(), expires: 'moment' },
  'site-connected': { ...ofSite(), podcasts: 'podcasts', expires: 'moment' },
  'site-key-created': {
    name: 'text',
    podcasts: 'podcasts',
    registerBefore: 'moment',
    link: 'link',
  },
  'keys-cut-off': { name: 'text', podcast: 'text' },
  /** To the owner of a locked feed, who may not be a user. */
  'feed-code': { podcast: 'podcast', code: 'text' },
  'plan-changed': { name: 'text', plan: 'text', state: 'sentence' },
  'overage-near': { ...ofOverage(), consequence: 'sentence' },
  'overage-reached': { ...ofOverage(), consequence: 'sentence' },
  /** The suspension begins. */
  'overage-suspended': { ...ofOverage(), duration: 'sentence' },
  'webhook-off': { ...ofWebhook(), since: 'moment', link: 'link' },
  /** To the operator. */
  'backup-overdue': { state: 'sentence' },
  'files-missing': { count: 'number', files: 'text', state: 'sentence' },
  'storage-near': { name: 'text', plan: 'text', used: 'bytes', included: 'bytes' },
} as const satisfies Record<string, Readonly<Record<string, ValueKind | `${ValueKind}?`>>>;

function ofKey() {
  return { name: 'text', key: 'text', lastFour: 'text', link: 'link' } as const;
}

function ofAccess() {
  return { scopes: 'scopes', podcasts: 'podcasts', expires: 'moment' } as const;
}

function ofSite() {
  return { name: 'text', address: 'text', link: 'link' } as const;
}

function ofPlace() {
  return { country: 'country', network: 'network', at: 'moment' } as const;
}

function ofWebhook() {
  return { name: 'text', podcast: 'text', host: 'text' } as const;
}

function ofOverage() {
  return {
    ...({ name: 'text', plan: 'text', month: 'month' } as const),
    ...({ downloads: 'number', limit: 'number', renews: 'day' } as const),
  };
}

export type EmailTemplate = keyof typeof emailTemplates;

type Kinds<T extends EmailTemplate> = (typeof emailTemplates)[T];
type OptionalName<K> = { [N in keyof K]: K[N] extends `${string}?` ? N : never }[keyof K];
type Bare<K> = K extends `${infer Kind extends ValueKind}?`
  ? Kind
  : K extends ValueKind
    ? K
    : never;

/** The values of an email. They are formatted when it is written, in the language of its reader. */
export type EmailValues<T extends EmailTemplate = EmailTemplate> = {
  readonly [N in Exclude<keyof Kinds<T>, OptionalName<Kinds<T>>>]: EmailValue<Bare<Kinds<T>[N]>>;
} & {
  readonly [N in OptionalName<Kinds<T>>]?: EmailValue<Bare<Kinds<T>[N]>> | undefined;
};

/** The kind of each value that a template may use, also that of the service's own address. */
export function kindsOf(template: EmailTemplate): Readonly<Record<string, ValueKind>> {
  const kinds = Object.entries<string>(emailTemplates[template]);
  const bare = kinds.map(([name, kind]) => [name, kind.replace('?', '') as ValueKind]);
  return { ...Object.fromEntries(bare), site: 'link' };
}
