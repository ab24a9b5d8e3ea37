import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Context } from '../../../domain/foundation/context.ts';
import type { ErrorDetail } from '../../../domain/foundation/errors.ts';
import type { SiteOfKey } from '../../../domain/foundation/principal.ts';
import { uuidPattern } from '../../../lib/uuid.ts';
import type { Operation, Route } from '../../route.ts';
import { defineKeyedRoute } from '../keyed/keyed-route.ts';
import { siteExample } from './site-schemas.ts';

export const siteParams = Type.Object({
  site_id: Type.String({
    pattern: `^${uuidPattern}$`,
    description: "The site's UUID",
    examples: [siteExample],
  }),
});

/** A report of a connected site. It counts only in the user's quota, not in that of a plan. */
interface SiteReport<P extends TObject, B extends TObject, K> extends Omit<Operation, 'scope'> {
  /** The part after the site's own path. */
  readonly path: string;
  /** The parameters of `path`. */
  readonly params?: P;
  readonly body: B;
  /** Checks of the body that a schema cannot express. */
  readonly check?: (input: {
    readonly body: Partial<Static<B>>;
    readonly site: SiteOfKey | undefined;
    readonly refuse: (...details: readonly ErrorDetail[]) => void;
  }) => K;
  readonly respond: (
    ctx: Context,
    input: {
      readonly siteId: string;
      readonly params: Static<P>;
      readonly body: Static<B>;
      readonly checked: K;
    },
  ) => Promise<object>;
}

export function defineSiteReport<P extends TObject, B extends TObject, K = undefined>(
  route: SiteReport<P, B, K>,
): Route {
  const { path, params, check, respond, ...described } = route;
  return defineKeyedRoute({
    ...described,
    method: 'POST',
    path: `/v1/me/sites/:site_id/${path}`,
    action: 'site.act',
    params: Type.Object({ ...siteParams.properties, ...params?.properties }),
    check: (_http, { body: given, caller, refuse }) =>
      check?.({ body: given, site: caller.site, refuse }) as K,
    respond: (ctx, { params: named, body: given, checked }) =>
      respond(ctx, {
        siteId: named.site_id,
        params: named as Static<P>,
        body: given,
        checked,
      }),
  });
}

/** The success response of a report. */
export function reported(description: string, schema: TSchema): Operation['responses'] {
  return {
    200: {
      description,
      schema: Type.Object({ data: schema }),
      headers: ['KeyedCaching', 'KeyedVary', 'RateLimitPolicy', 'RateLimit', 'ContentEncoding'],
    },
  };
}
