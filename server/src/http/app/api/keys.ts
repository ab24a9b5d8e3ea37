import {
  checkGrace,
  checkKey,
  createKey,
  expiryChoicesDays,
  graces,
  listKeys,
  maxActiveKeys,
  revokeAllKeys,
  revokeKey,
  rollKey,
  widenKey,
} from '../../../domain/access/keys/index.ts';
import { userScopes } from '../../../domain/foundation/enumerations.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentKey } from '../present.ts';
import { created, ok, whole } from '../response.ts';
import { CreateKey, Key, KeyList, KeyWithSecret, RollKey, WidenKey } from '../schemas/keys.ts';

const choices = {
  scopes: [...userScopes],
  expires_in_days: [...expiryChoicesDays],
  grace: [...graces],
};

export const keyRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/keys', {
    id: 'listKeys',
    summary: "The user's API keys",
    response: whole(KeyList),
    async handle({ ctx, session }) {
      const keys = await listKeys(ctx, session.userId);
      const data = keys.map((key) => presentKey(key, ctx.clock.now()));
      const active = data.filter(({ state }) => state === 'active').length;
      const mayCreate = active < maxActiveKeys;
      return { data, most_active: maxActiveKeys, may_create: mayCreate, choices };
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
