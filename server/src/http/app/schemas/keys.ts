import Type from 'typebox';
import {
  checkGrace,
  checkKey,
  type ExpiryDays,
  type Grace,
  type Scope,
} from '../../../domain/keys/index.ts';
import { refusing } from '../../validation.ts';
import { closed, id, moment, nullable, password } from './fields.ts';

/** API keys: made, listed, rolled, widened, revoked. */

export const someScopes = Type.Unsafe<Scope[]>(Type.Array(Type.String()));
export const expiresInDays = Type.Unsafe<ExpiryDays>(Type.Integer());
export const grace = Type.Unsafe<Grace>(Type.String());
const podcasts = Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
  description: 'This is "all", or a list of UUIDs.',
});

export const CreateKey = refusing(
  closed({
    /** Chosen by whoever asks, so that a request sent twice makes one key. */
    id: Type.Optional(id),
    name: Type.String(),
    scopes: someScopes,
    podcasts,
    expires_in_days: expiresInDays,
    current_password: password,
  }),
  ({ expires_in_days: expiresInDays, ...key }) => checkKey({ ...key, expiresInDays }),
);

export const RollKey = refusing(
  closed({
    grace,
    expires_in_days: expiresInDays,
    /** Of the secret to be replaced, so that a request sent twice replaces one. */
    last_four: Type.Optional(Type.String()),
    current_password: password,
  }),
  ({ grace, expires_in_days: expiresInDays }) => [
    ...checkKey({ expiresInDays }),
    ...checkGrace(grace),
  ],
);

/** What is added; nothing that the key has is taken away. */
export const WidenKey = closed({
  scopes: Type.Optional(someScopes),
  podcasts: Type.Optional(podcasts),
  current_password: password,
});

export const Key = Type.Object({
  id,
  name: Type.String(),
  state: Type.Enum(['active', 'expired', 'revoked'], { type: 'string' }),
  scopes: Type.Array(Type.String()),
  podcasts,
  cut_off_from: Type.Array(id),
  last_four: Type.String(),
  created_at: moment,
  expires_at: moment,
  revoked_at: nullable(moment),
  /** A rolled key's old secret, while it works. */
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

/** The only answer that ever holds a secret. */
export const KeyWithSecret = Type.Object({ key: Key, secret: Type.String() });
