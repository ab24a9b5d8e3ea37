import Type from 'typebox';
import {
  checkGrace,
  checkKey,
  createKey,
  listKeys,
  revokeAllKeys,
  revokeKey,
  rollKey,
  widenKey,
} from '../../../domain/keys/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentKey } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { created, nothing, ok } from '../responses.ts';
import { ids } from '../schemas/fields.ts';
import { CreateKey, Key, KeyWithSecret, RollKey, WidenKey } from '../schemas/keys.ts';

const listRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/keys',
  operation: {
    id: 'listKeys',
    summary: 'The API keys of the user',
    responses: ok(Type.Array(Key)),
  },
  async handle(_http, { caller: { ctx, session } }) {
    const keys = await listKeys(ctx, session.userId);
    return answerData(keys.map((key) => presentKey(key, ctx.clock.now())));
  },
});

const createRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys',
  body: { json: CreateKey },
  operation: {
    id: 'createKey',
    summary: 'Makes a key; its secret is told here alone',
    responses: created(KeyWithSecret),
  },
  check(_http, { body: { expires_in_days: expiresInDays, ...key }, refuse }) {
    refuse(...checkKey({ ...key, expiresInDays }));
  },
  async handle(_http, { caller: { ctx, session }, body }) {
    const { expires_in_days: expiresInDays, current_password: currentPassword, ...key } = body;
    const { userId } = session;
    const { key: made, secret } = await createKey(ctx, {
      ...key,
      userId,
      expiresInDays,
      currentPassword,
    });
    return answerData({ key: presentKey(made, ctx.clock.now()), secret });
  },
});

const rollRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys/:keyId/roll',
  params: ids('keyId'),
  body: { json: RollKey },
  operation: { id: 'rollKey', summary: 'Gives a key a new secret', responses: ok(KeyWithSecret) },
  check(_http, { body: { grace, expires_in_days: expiresInDays }, refuse }) {
    refuse(...checkKey({ expiresInDays }), ...checkGrace(grace));
  },
  async handle(_http, { caller: { ctx }, params: { keyId }, body }) {
    const { key, secret } = await rollKey(ctx, {
      keyId,
      grace: body.grace,
      expiresInDays: body.expires_in_days,
      lastFour: body.last_four,
      currentPassword: body.current_password,
    });
    return answerData({ key: presentKey(key, ctx.clock.now()), secret });
  },
});

const widenRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys/:keyId/widen',
  params: ids('keyId'),
  body: { json: WidenKey },
  operation: { id: 'widenKey', summary: 'Adds scopes or podcasts to a key', responses: ok(Key) },
  async handle(_http, { caller: { ctx }, params: { keyId }, body }) {
    const { current_password: currentPassword, ...more } = body;
    const key = await widenKey(ctx, { ...more, keyId, currentPassword });
    return answerData(presentKey(key, ctx.clock.now()));
  },
});

const revokeRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: '/app/api/keys/:keyId',
  params: ids('keyId'),
  operation: { id: 'revokeKey', summary: 'Ends a key', responses: nothing },
  async handle(_http, { caller: { ctx }, params: { keyId } }) {
    await revokeKey(ctx, keyId);
    return answerNothing;
  },
});

const revokeAllRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: '/app/api/keys',
  operation: {
    id: 'revokeAllKeys',
    summary: 'Ends all keys, those of connected sites too',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx, session } }) {
    await revokeAllKeys(ctx, session.userId);
    return answerNothing;
  },
});

export const keyRoutes: readonly Route[] = [
  listRoute,
  createRoute,
  rollRoute,
  widenRoute,
  revokeRoute,
  revokeAllRoute,
];
