import type { FastifyReply } from 'fastify';
import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import type { Page } from '../../pages/page.ts';
import { type Answer, defineRoute, type FormFields, type Route } from '../../route.ts';
import { answerPage, seeOther } from '../answers.ts';
import { isLedHereByApp } from '../same-origin.ts';
import { forVisitors, isSignedIn, type SignedInVisitor, type Visitor } from '../visitor.ts';

/** What a page is told of whoever asks for it. */
export interface Asked<V, P extends TObject> {
  readonly visitor: V;
  readonly params: Static<P>;
  /** What was done a moment ago, by the address that `sayingDone` led to; no other link can say it. */
  readonly done: string | undefined;
  readonly reply: FastifyReply;
}

/** The visitor as a page wants them; undefined: they have to sign in first. */
export type Admit<V> = (visitor: Visitor) => V | undefined;

export const anyVisitor: Admit<Visitor> = (visitor) => visitor;
export const signedInVisitor: Admit<SignedInVisitor> = (visitor) =>
  isSignedIn(visitor) ? visitor : undefined;

export interface PageRoute<V, P extends TObject> {
  readonly path: string;
  readonly params?: P | undefined;
  /** The page that a form or a button stands on, where that is another address than its own. */
  readonly shownAt?: string;
  readonly admit: Admit<V>;
}

interface Request {
  readonly query: Readonly<Record<string, unknown>>;
  /** None of GET. */
  readonly fields: FormFields;
}

/** Pages have GET, forms and buttons POST. Whoever has to sign in comes back to the page afterwards. */
export function definePageRoute<V, P extends TObject>(
  method: 'GET' | 'POST',
  { path, params, shownAt, admit }: PageRoute<V, P>,
  answer: (asked: Asked<V, P>, request: Request) => Promise<Answer>,
): Route {
  return defineRoute({
    ...forVisitors,
    method,
    path,
    params: params ?? Type.Object({}),
    query: Type.Object({}),
    body: method === 'POST' ? 'form' : undefined,
    async handle(web, { caller, params, query, body, request, reply }) {
      const visitor = admit(caller);
      if (visitor === undefined) return signInFirst(shownAt ?? request.raw.url ?? path);
      const given = query as Request['query'];
      const ledHere = isLedHereByApp(request.headers, web.ctx.installation.baseUrl);
      const done = ledHere && typeof given['done'] === 'string' ? given['done'] : undefined;
      const asked = { visitor, params: params as Static<P>, done, reply };
      return answer(asked, { query: given, fields: body ?? {} });
    },
  });
}

/** A page of the settings without a form of its own. */
export function defineSettingsPage<P extends TObject>(page: {
  readonly path: string;
  readonly params?: P;
  readonly show: (
    asked: Asked<SignedInVisitor, P>,
    query: Readonly<Record<string, unknown>>,
  ) => Promise<Page>;
}): Route {
  return definePageRoute('GET', { ...page, admit: signedInVisitor }, async (asked, { query }) =>
    answerPage(await page.show(asked, query)),
  );
}

/** A button of the settings that needs nothing filled in. */
export function defineSettingsAction<P extends TObject>(action: {
  readonly path: string;
  readonly shownAt: string;
  readonly params?: P;
  readonly act: (asked: Asked<SignedInVisitor, P>) => Promise<Answer>;
}): Route {
  return definePageRoute('POST', { ...action, admit: signedInVisitor }, action.act);
}

export function signInFirst(url: string): Answer {
  return seeOther(`/app/sign-in?next=${encodeURIComponent(url)}`);
}
