import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { notFound } from '../../domain/foundation/errors.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError } from '../http-errors.ts';
import { defineRoute, type Route } from '../route.ts';
import { createInputCheck } from './check-input.ts';

const now = new Date('2026-03-01T00:00:00Z');
const http = { ctx: { clock: { now: () => now } } } as HttpContext;
const day = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'A day' }));

/** Like the routes of analytics. Schemas cannot say "not after today" or "`to` needs `from`". */
const route = defineRoute({
  method: 'POST',
  path: '/downloads/:id',
  access: 'public',
  params: Type.Object({ id: Type.String({ maxLength: 3 }) }),
  query: Type.Object({ from: day, to: day, limit: Type.Optional(Type.Integer({ maximum: 9 })) }),
  body: {
    json: Type.Object({ name: Type.String(), id: Type.Optional(Type.String({ maxLength: 3 })) }),
  },
  authenticate: async () => ({ userName: 'ana' }),
  async check({ ctx }, { params, query, body, caller, refused, refuse }) {
    if (params.id === 'no') throw notFound('thing');
    const { from, to } = query;
    const today = ctx.clock.now().toISOString().slice(0, 10);
    if (from !== undefined && from > today) refuse({ field: 'from', message: 'Not after today.' });
    if (to !== undefined && from === undefined && !refused.has('from')) {
      refuse({ field: 'to', message: 'This needs from.' });
    }
    if (body.name === caller.userName) refuse({ field: 'name', message: 'Not your own.' });
    return { range: `${from ?? today} to ${to ?? today}` };
  },
  handle: async (_http, { checked }) => ({ kind: 'json', body: { range: checked.range } }),
});

const check = (of: Route, given: { id?: string; query?: object; body?: object }) => {
  const { id = 'x', query = {}, body = { name: 'bo' } } = given;
  return createInputCheck(of)(http, { params: { id }, query, body }, { userName: 'ana' });
};

async function wrongIn(given: Parameters<typeof check>[1]): Promise<string[]> {
  const error = await check(route, given).catch((cause: unknown) => cause);
  if (!(error instanceof HttpError)) throw error;
  expect(error.failure).toMatchObject({ status: 400, code: 'invalid_request' });
  return (error.failure.details ?? []).map(({ field }) => field);
}

describe('the step that checks parameters and body', () => {
  it("returns the result of the route's check", async () => {
    const query = { from: '2026-02-01' };
    expect(await check(route, { query })).toEqual({ range: '2026-02-01 to 2026-03-01' });
  });

  it('distinguishes an unknown name with a dot from a part of a field', async () => {
    const closed = defineRoute({
      method: 'POST',
      path: '/closed',
      access: 'public',
      body: { json: Type.Object({ name: Type.String() }, { additionalProperties: false }) },
      async check(_http, { refuse }) {
        refuse({ field: 'name', message: 'Not this one.' });
      },
      handle: async () => ({ kind: 'json', body: {} }),
    });
    const refused = check(closed, { body: { name: 'bo', 'name.x': 1 } });
    const details = [{ field: 'name.x' }, { field: 'name' }];
    await expect(refused).rejects.toMatchObject({ failure: { details } });
  });

  // REQ-8
  it("the step that checks parameters and body names every wrong field, found by the schemas or the route's check", async () => {
    const query = { from: '2026-03-02', limit: '10' };
    expect(await wrongIn({ id: 'long', query, body: { name: 'ana' } })).toEqual([
      'id',
      'limit',
      'from',
      'name',
    ]);
  });

  it('distinguishes a wrong field from a missing one', async () => {
    expect(await wrongIn({ query: { to: '2026-02-01' } })).toEqual(['to']);
    expect(await wrongIn({ query: { from: 'x', to: '2026-02-01' } })).toEqual(['from']);
  });

  it('the step that checks parameters and body names a field once', async () => {
    const again: Route = {
      ...route,
      check: (_http, { refuse }) =>
        refuse(
          { field: 'limit', message: 'Again.' },
          { field: 'from', message: 'One.' },
          { field: 'from', message: 'Two.' },
        ),
    };
    await expect(check(again, { query: { limit: 'x' } })).rejects.toMatchObject({
      failure: {
        details: [
          { field: 'limit', message: 'This must be a whole number.' },
          { field: 'from', message: 'One.' },
        ],
      },
    });
  });

  it('distinguishes a parameter from a property of the same name', async () => {
    const seen: unknown[] = [];
    const spy: Route = {
      ...route,
      check: (_http, { params, body }) => void seen.push(params, body),
    };
    await check(spy, { id: 'long', body: { name: 'bo', id: 'y' } }).catch(() => undefined);
    expect(seen).toEqual([{}, { name: 'bo', id: 'y' }]);
  });

  it('responds with not_found only if no field is wrong', async () => {
    await expect(check(route, { id: 'no' })).rejects.toThrow('There is no such thing.');
    expect(await wrongIn({ id: 'no', query: { limit: 'x' } })).toEqual(['limit']);
  });

  it('throws an internal error even if a field is wrong', async () => {
    const broken: Route = {
      ...route,
      check() {
        throw new TypeError('broken');
      },
    };
    await expect(check(broken, { query: { limit: 'x' } })).rejects.toThrow('broken');
  });
});
