import Type, { type Static, type TObject } from 'typebox';
import type { Context } from '../../../domain/context.ts';
import { uuidPattern } from '../../../lib/uuid.ts';
import type { Operation, ResponseDescription, Route } from '../../route.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { siteExample } from './schemas.ts';

export const siteParams = Type.Object({
  site_id: Type.String({
    pattern: `^${uuidPattern}$`,
    description: "The site's UUID",
    examples: [siteExample],
  }),
});

/** A report of a connected site about itself: counted in the user's quota alone, by no plan. */
export function defineSiteReport<B extends TObject>(route: {
  /** What follows the site's own path. */
  readonly path: string;
  readonly body: B;
  readonly operation: Operation;
  readonly answer: (
    ctx: Context,
    input: { readonly siteId: string; readonly body: Static<B> },
  ) => Promise<object>;
}): Route {
  const { path, body, operation, answer } = route;
  return defineKeyedRoute({
    method: 'POST',
    path: `/v1/me/sites/:site_id/${path}`,
    action: 'site.act',
    params: siteParams,
    body,
    operation,
    answer: (ctx, { params, body: given }) =>
      answer(ctx, { siteId: params.site_id.toLowerCase(), body: given }),
  });
}

/** The one success of a report. */
export function reported(
  description: string,
  schema: ResponseDescription['schema'] & {},
): Operation['responses'] {
  return {
    200: {
      description,
      schema: Type.Object({ data: schema }),
      headers: ['KeyedCaching', 'KeyedVary', 'RateLimitPolicy', 'RateLimit', 'ContentEncoding'],
    },
  };
}
