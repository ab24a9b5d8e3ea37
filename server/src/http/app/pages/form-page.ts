import type { Static, TObject } from 'typebox';
import { DomainError } from '../../../domain/errors.ts';
import { failureOf, HttpError, type HttpFailure } from '../../errors.ts';
import type { Page } from '../../pages/page.ts';
import type { Answer, Route } from '../../route.ts';
import { createInputCheck } from '../../validation.ts';
import { answerPage } from '../answers.ts';
import { type FormState, startingWith } from './form-state.ts';
import { type Asked, definePageRoute, type PageRoute } from './page-route.ts';
import { readFields } from './read-fields.ts';

/**
 * A page that is about one form: GET shows it, POST does what it says. What is `shownAt` another
 * page has POST alone.
 */
export interface FormPage<V, P extends TObject, S extends TObject> extends PageRoute<V, P> {
  readonly form: S;
  /** Fields that the page's address may begin with: what a letter's link brings. */
  readonly begunWith?: readonly (keyof S['properties'] & string)[];
  /** The form as it begins, or as it comes back with what is wrong in it. */
  readonly show: (asked: Asked<V, P>, state: FormState) => Promise<Page> | Page;
  /** What is refused here for a reason that the form can tell is told there. */
  readonly submit: (asked: Asked<V, P>, values: Static<S>) => Promise<Answer>;
}

export function defineFormPage<V, P extends TObject, S extends TObject>(
  page: FormPage<V, P, S>,
): Route[] {
  const { form, begunWith = [], show, submit } = page;
  const check = createInputCheck({ body: form });
  const shown = definePageRoute('GET', page, async (asked, { query }) => {
    const begun = begunWith.map((name) => [name, query[name]] as const);
    const known = begun.filter(([, value]) => typeof value === 'string');
    return answerPage(await show(asked, startingWith(Object.fromEntries(known))));
  });
  const submitted = definePageRoute('POST', page, async (asked, { fields }) => {
    const values = readFields(form, fields);
    try {
      check({ params: {}, query: {}, body: values });
      return await submit(asked, values as Static<S>);
    } catch (error) {
      const { status, headers = {}, message, details = [] } = toTellableFailure(error);
      asked.reply.code(status).headers(headers);
      const problems = details.length > 0 ? details : [{ field: '', message }];
      return answerPage(await show(asked, { values, problems }));
    }
  });
  return page.shownAt === undefined ? [shown, submitted] : [submitted];
}

/** What whoever filled in the form can mend, or wait for; throws the error when it is nothing such. */
function toTellableFailure(error: unknown): HttpFailure {
  const refused = error instanceof HttpError ? error.failure : undefined;
  const failure = error instanceof DomainError ? failureOf(error) : refused;
  if (failure === undefined || ![400, 403, 429].includes(failure.status)) throw error;
  return failure;
}
