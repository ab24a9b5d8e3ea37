import Type from 'typebox';
import { expiryChoicesDays, graces, userScopes } from '../../../domain/keys/index.ts';
import { closed, id, moment, nullable, password } from './fields.ts';

/** API keys: made, listed, rolled, widened, revoked. */

export const keyName = Type.String({ minLength: 1, maxLength: 100 });
export const someScopes = Type.Array(Type.Enum([...userScopes], { type: 'string' }));
export const expiresInDays = Type.Enum([...expiryChoicesDays], { type: 'integer' });
export const grace = Type.Enum([...graces], { type: 'string' });
const podcasts = Type.Union([Type.Literal('all'), Type.Array(id)], {
  description: 'This is "all", or a list of UUIDs.',
});

export const CreateKey = closed({
  /** Chosen by whoever asks, so that a request sent twice makes one key. */
  id: Type.Optional(id),
  name: keyName,
  scopes: someScopes,
  podcasts,
  expires_in_days: expiresInDays,
  current_password: password,
});

export const RollKey = closed({
  grace,
  expires_in_days: expiresInDays,
  /** Of the secret to be replaced, so that a request sent twice replaces one. */
  last_four: Type.Optional(Type.String()),
  current_password: password,
});

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
