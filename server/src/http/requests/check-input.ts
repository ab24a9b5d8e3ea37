import { DomainError, type ErrorDetail } from '../../domain/foundation/errors.ts';
import type { HttpContext } from '../http-context.ts';
import { HttpError } from '../http-errors.ts';
import type { CheckInput, Route } from '../route.ts';
import { createSchemaCheck, type GivenInput, invalidInput } from './validation.ts';

/**
 * Checks a request's parameters and body in one step: with the schemas and with the route's
 * `check`. Throws `invalid_request` with every wrong field. The step returns the result of `check`.
 */
export function createInputCheck(
  route: Pick<Route, 'params' | 'query' | 'body' | 'check'>,
): (http: HttpContext, given: GivenInput, caller: unknown) => Promise<unknown> {
  const { params, query, body, check } = route;
  const checkSchemas = createSchemaCheck({
    params,
    query,
    body: typeof body === 'object' ? body.json : undefined,
  });
  return async (http, given, caller) => {
    const { fitting, refused, details } = checkSchemas(given);
    const wrong = new Map(details.map((detail) => [detail.field, detail]));
    const refuse = (...more: readonly ErrorDetail[]) => {
      for (const detail of more) {
        const isKnown = wrong.has(detail.field) || refused.has(detail.field);
        if (!isKnown) wrong.set(detail.field, detail);
      }
    };
    let checked: unknown;
    try {
      const input = { ...fitting, caller, refused, refuse } as CheckInput<never, never, never>;
      checked = await check?.(http, input as CheckInput<never, never, never, never>);
    } catch (error) {
      // The order of AUTH-5: wrong fields are reported before not_found and forbidden.
      if (wrong.size === 0 || !(error instanceof DomainError || error instanceof HttpError))
        throw error;
    }
    if (wrong.size > 0) throw invalidInput([...wrong.values()]);
    return checked;
  };
}
