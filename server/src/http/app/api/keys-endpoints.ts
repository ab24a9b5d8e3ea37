import type { Static } from 'typebox';
import Type from 'typebox';
import {
  type Key as ApiKey,
  checkGrace,
  checkKey,
  createKey,
  type ExpiryDays,
  expiryChoicesDays,
  type Grace,
  graces,
  keyRightsOf,
  keyStateOf,
  listKeys,
  maxActiveKeys,
  revokeAllKeys,
  revokeKey,
  rollKey,
  widenKey,
} from '../../../domain/access/keys/index.ts';
import { type Scope, userScopes } from '../../../domain/foundation/enumerations.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { serializerFor } from '../../responses/serializers.ts';
import { writeItems } from '../../responses/write-items.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { closed, id, moment, named, nullable, password } from '../field-schemas.ts';
import { created, ok, piecesResponse, whole, written } from '../response.ts';

/** API keys: create, list, roll, widen, revoke. */

const someScopes = Type.Unsafe<Scope[]>(Type.Array(Type.String()));
const expiresInDays = Type.Unsafe<ExpiryDays>(Type.Integer());
const grace = Type.Unsafe<Grace>(Type.String());
const podcasts = Type.Union([Type.Literal('all'), Type.Array(Type.String())], {
  description: 'This is "all", or a list of UUIDs.',
});

const CreateKey = closed({
  /** Chosen by the client, so that a repeated request creates one key. */
  id: Type.Optional(id),
  name: Type.String(),
  scopes: someScopes,
  podcasts,
  expires_in_days: expiresInDays,
  current_password: password,
});

const RollKey = closed({
  grace,
  expires_in_days: expiresInDays,
  /** The end of the secret to replace, so that a repeated request replaces it only once. */
  last_four: Type.Optional(Type.String()),
  current_password: password,
});

/** The scopes and podcasts to add. Nothing is removed. */
const WidenKey = closed({
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

const KeyList = named('KeyList', {
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
const KeyWithSecret = named('KeyWithSecret', { key: Key, secret: Type.String() });

export function presentKey(key: ApiKey, now: Date): Static<typeof Key> {
  return { ...wireNames({ ...key, ...keyRightsOf(key, now) }), state: keyStateOf(key, now) };
}

const writeKey = serializerFor(Key);

const choices = {
  scopes: [...userScopes],
  expires_in_days: [...expiryChoicesDays],
  grace: [...graces],
};

export const keyRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/keys', {
    id: 'listKeys',
    summary: "The user's API keys",
    response: written(whole(KeyList).responses),
    async handle({ ctx, session }, { request }) {
      const now = ctx.clock.now();
      const keys = await listKeys(ctx, session.userId);
      // Each may name a thousand podcasts.
      const data = await writeItems(keys, (key) => writeKey(presentKey(key, now)));
      const active = keys.filter((key) => keyStateOf(key, now) === 'active').length;
      const mayCreate = active < maxActiveKeys;
      const rest = { most_active: maxActiveKeys, may_create: mayCreate, choices };
      const end = Buffer.from(`,${JSON.stringify(rest).slice(1)}`);
      return piecesResponse(request, [Buffer.from('{"data":'), ...data, end]);
    },
  }),
  defineEndpoint('POST /app/api/keys', {
    id: 'createKey',
    summary: 'Creates a key; only this response contains its secret',
    body: { json: CreateKey },
    response: created(KeyWithSecret),
    check(_http, { body: { expires_in_days: expiresInDays, ...key }, refuse }) {
      refuse(...checkKey({ ...key, expiresInDays }));
    },
    async handle({ ctx, session: { userId } }, { body }) {
      const { expires_in_days: expiresInDays, current_password: currentPassword, ...given } = body;
      const wanted = { ...given, userId, expiresInDays, currentPassword };
      const { key, secret } = await createKey(ctx, wanted);
      return { key: presentKey(key, ctx.clock.now()), secret };
    },
  }),
  defineEndpoint('POST /app/api/keys/:keyId/roll', {
    id: 'rollKey',
    summary: 'Gives a key a new secret',
    body: { json: RollKey },
    response: ok(KeyWithSecret),
    check(_http, { body: { grace, expires_in_days: expiresInDays }, refuse }) {
      refuse(...checkKey({ expiresInDays }), ...checkGrace(grace));
    },
    async handle({ ctx }, { params: { keyId }, body }) {
      const { key, secret } = await rollKey(ctx, {
        keyId,
        grace: body.grace,
        expiresInDays: body.expires_in_days,
        lastFour: body.last_four,
        currentPassword: body.current_password,
      });
      return { key: presentKey(key, ctx.clock.now()), secret };
    },
  }),
  defineEndpoint('POST /app/api/keys/:keyId/widen', {
    id: 'widenKey',
    summary: 'Adds scopes or podcasts to a key',
    body: { json: WidenKey },
    response: ok(Key),
    async handle({ ctx }, { params, body: { current_password: currentPassword, ...more } }) {
      const key = await widenKey(ctx, { ...more, ...params, currentPassword });
      return presentKey(key, ctx.clock.now());
    },
  }),
  defineEndpoint('DELETE /app/api/keys/:keyId', {
    id: 'revokeKey',
    summary: 'Revokes a key',
    handle: ({ ctx }, { params: { keyId } }) => revokeKey(ctx, keyId),
  }),
  defineEndpoint('DELETE /app/api/keys', {
    id: 'revokeAllKeys',
    summary: 'Revokes all keys, including those of connected sites',
    handle: ({ ctx, session }) => revokeAllKeys(ctx, session.userId),
  }),
];
