import Type from 'typebox';
import {
  createKey,
  listKeys,
  revokeAllKeys,
  revokeKey,
  rollKey,
  widenKey,
} from '../../../domain/keys/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentKey, presentKeyWithSecret } from '../present-key.ts';
import { data, ids } from '../schemas/fields.ts';
import { CreateKey, Key, KeyWithSecret, RollKey, WidenKey } from '../schemas/keys.ts';
import { forSignedIn } from '../visitor.ts';

const listRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/keys',
  answers: { 200: data(Type.Array(Key)) },
  async handle(_web, { caller: { ctx, session } }) {
    const keys = await listKeys(ctx, session.userId);
    return answerData(keys.map((key) => presentKey(key, ctx.clock.now())));
  },
});

const createRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys',
  body: { json: CreateKey },
  answers: { 201: data(KeyWithSecret) },
  async handle(_web, { caller: { ctx, session }, body, reply }) {
    const { expires_in_days: expiresInDays, current_password: currentPassword, ...key } = body;
    const { userId } = session;
    const made = await createKey(ctx, { ...key, userId, expiresInDays, currentPassword });
    reply.code(201);
    return answerData(presentKeyWithSecret(made, ctx.clock.now()));
  },
});

const rollRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys/:keyId/roll',
  params: ids('keyId'),
  body: { json: RollKey },
  answers: { 200: data(KeyWithSecret) },
  async handle(_web, { caller: { ctx }, params: { keyId }, body }) {
    const rolled = await rollKey(ctx, {
      keyId,
      grace: body.grace,
      expiresInDays: body.expires_in_days,
      lastFour: body.last_four,
      currentPassword: body.current_password,
    });
    return answerData(presentKeyWithSecret(rolled, ctx.clock.now()));
  },
});

const widenRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/keys/:keyId/widen',
  params: ids('keyId'),
  body: { json: WidenKey },
  answers: { 200: data(Key) },
  async handle(_web, { caller: { ctx }, params: { keyId }, body }) {
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
  async handle(_web, { caller: { ctx }, params: { keyId }, reply }) {
    await revokeKey(ctx, keyId);
    return answerNothing(reply);
  },
});

/** Those of connected sites too. */
const revokeAllRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path: '/app/api/keys',
  async handle(_web, { caller: { ctx, session }, reply }) {
    await revokeAllKeys(ctx, session.userId);
    return answerNothing(reply);
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
