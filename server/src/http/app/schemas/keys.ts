import Type from 'typebox';
import {
  type ExpiryDays,
  expiryChoicesDays,
  type Grace,
  graces,
} from '../../../domain/access/keys/index.ts';
import { type Scope, userScopes } from '../../../domain/foundation/enumerations.ts';
import { closed, id, moment, named, nullable, password } from './fields.ts';

/** API keys: create, list, roll, widen, revoke. */

const someScopes = Type.Unsafe<Scope[]>(Type.Array(Type.String()));
const expiresInDays = Type.Unsafe<ExpiryDays>(Type.Integer());
const grace = Type.Unsafe<Grace>(Type.String());
const podcasts = Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
  description: 'This is "all", or a list of UUIDs.',
});

export const CreateKey = closed({
  /** Chosen by the client, so that a repeated request creates one key. */
  id: Type.Optional(id),
  name: Type.String(),
  scopes: someScopes,
  podcasts,
  expires_in_days: expiresInDays,
  current_password: password,
});

export const RollKey = closed({
  grace,
  expires_in_days: expiresInDays,
  /** The end of the secret to replace, so that a repeated request replaces it only once. */
  last_four: Type.Optional(Type.String()),
  current_password: password,
});

/** The scopes and podcasts to add. Nothing is removed. */
export const WidenKey = closed({
  scopes: Type.Optional(someScopes),
  podcasts: Type.Optional(podcasts),
  current_password: password,
});

const scopeChoices = Type.Array(Type.Enum([...userScopes], { type: 'string' }));

export const Key = named('Key', {
  id,
  name: Type.String(),
  state: Type.Enum(['active', 'expired', 'revoked'], { type: 'string' }),
  scopes: Type.Array(Type.String()),
  podcasts,
  cut_off_from: Type.Array(id, { description: 'Shows that it cannot be given again.' }),
  last_four: Type.String(),
  created_at: moment,
  expires_at: moment,
  revoked_at: nullable(moment),
  may_roll: Type.Boolean(),
  may_widen: Type.Boolean(),
  may_add_scopes: scopeChoices,
  /** The old secret of a rolled key, while it works. */
  replaced: nullable(Type.Object({ last_four: Type.String(), works_until: moment })),
  last_use: nullable(
    Type.Object({
      at: moment,
      /** ISO 3166-1 alpha-2. */
      country: nullable(Type.String()),
      /** `AS15169 Google LLC` */
      network: nullable(Type.String()),
    }),
  ),
});

export const KeyList = named('KeyList', {
  data: Type.Array(Key),
  most_active: Type.Integer({ description: 'How many active keys a user may have.' }),
  may_create: Type.Boolean(),
  choices: Type.Object(
    {
      scopes: scopeChoices,
      expires_in_days: Type.Array(Type.Enum([...expiryChoicesDays], { type: 'integer' })),
      grace: Type.Array(Type.Enum([...graces], { type: 'string' })),
    },
    { description: 'What the fields of requests accept.' },
  ),
});

/** The only response that contains a secret. */
export const KeyWithSecret = named('KeyWithSecret', { key: Key, secret: Type.String() });
