import type { Static, TObject } from 'typebox';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { failureOf, HttpError, type HttpFailure } from '../../http-errors.ts';
import type { Page } from '../../pages/page.ts';
import { createSchemaCheck, invalidInput } from '../../requests/validation.ts';
import type { Route, RouteResponse } from '../../route.ts';
import { pageResponse } from '../response.ts';
import { type FormState, startingWith } from './form-state.ts';
import { definePageRoute, type PageContext, type PageRoute } from './page-route.ts';
import { readFields } from './read-fields.ts';

/**
 * A page with one form: GET shows it, POST submits it. With `shownAt`, the form is on another page
 * and this one has only POST.
 */
export interface FormPage<V, S extends TObject> extends PageRoute<V> {
  readonly form: S;
  /** Fields that the URL may set, such as the token of an email's link. */
  readonly urlFields?: readonly (keyof S['properties'] & string)[];
  /** Renders the empty form, or the submitted one with its problems. */
  readonly show: (context: PageContext<V>, state: FormState) => Promise<Page> | Page;
  /** Refusals that the form can explain are shown in it. */
  readonly submit: (context: PageContext<V>, values: Static<S>) => Promise<RouteResponse>;
}

export function defineFormPage<V, S extends TObject>(page: FormPage<V, S>): Route[] {
  const { form, urlFields = [], show, submit } = page;
  const check = createSchemaCheck({ body: form });
  const shown = definePageRoute('GET', page, async (context, { query }) => {
    const prefilled = urlFields.map((name) => [name, query[name]] as const);
    const known = prefilled.filter(([, value]) => typeof value === 'string');
    return pageResponse(await show(context, startingWith(Object.fromEntries(known))));
  });
  const submitted = definePageRoute('POST', page, async (context, { fields }) => {
    const values = readFields(form, fields);
    try {
      const { details } = check({ params: {}, query: {}, body: values });
      if (details.length > 0) throw invalidInput(details);
      return await submit(context, values as Static<S>);
    } catch (error) {
      const { status, headers = {}, details = [], ...said } = toFormFailure(error);
      context.reply.code(status).headers(headers);
      const problems = details.length > 0 ? details : [{ field: '', ...said }];
      return pageResponse(await show(context, { values, problems }));
    }
  });
  return page.shownAt === undefined ? [shown, submitted] : [submitted];
}

/** Converts refusals that the user can correct or wait out; rethrows other errors. */
function toFormFailure(error: unknown): HttpFailure {
  const refused = error instanceof HttpError ? error.failure : undefined;
  const failure = error instanceof DomainError ? failureOf(error) : refused;
  if (failure === undefined || ![400, 403, 429].includes(failure.status)) throw error;
  return failure;
}
