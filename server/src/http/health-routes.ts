import { DomainError } from '../domain/errors.ts';
import { noStore } from './payload.ts';
import { defineRoute, type Route } from './route.ts';

/** Checks of the parts that the service needs. Each rejects with the reason if its part fails. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** `/healthz`: the process is alive. `/readyz`: all parts that it needs work. */
export function createHealthRoutes(checks: ReadinessChecks): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/healthz',
      access: 'public',
      async handle(_http, { reply }) {
        reply.header('Cache-Control', noStore).send({ status: 'ok' });
        return { kind: 'sent' };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/readyz',
      access: 'public',
      async handle(http, { reply }) {
        const names = Object.keys(checks);
        const results = await Promise.allSettled(names.map((name) => checks[name]?.()));
        const failed = results.flatMap((result, i) =>
          result.status === 'rejected' ? [{ name: names[i] ?? '', cause: result.reason }] : [],
        );
        for (const { name, cause } of failed) http.ctx.log.warn({ err: cause }, `${name} is away`);
        if (failed.length > 0) {
          const away = failed.map(({ name }) => name).join(', ');
          throw new DomainError('service_unavailable', `Not ready: ${away}.`);
        }
        reply.header('Cache-Control', noStore).send({ status: 'ready', checks: names });
        return { kind: 'sent' };
      },
    }),
  ];
}
