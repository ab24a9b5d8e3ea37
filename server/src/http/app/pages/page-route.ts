import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { type PageWords, pageWords } from '../../pages/page-words.ts';
import { defineRoute, type FormFields, type Route, type RouteResponse } from '../../route.ts';
import {
  forAnyRequester,
  isSignedIn,
  type Requester,
  type SignedInRequester,
} from '../requester.ts';
import { seeOther } from '../response.ts';
import { cameFromApp, findPageAtBase } from '../same-origin.ts';

/** The request, as a page gets it. */
export interface PageContext<V> {
  readonly requester: V;
  /** Not parsed; a repeated name is a list. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The name of a confirmation message, from a URL of `withDone`; other links cannot set it. */
  readonly done: string | undefined;
  readonly reply: FastifyReply;
  /** In the language of the user or the browser. */
  readonly words: PageWords;
}

/** Returns the visitor in the form that the page needs; undefined: they must sign in first. */
export type Authenticate<V> = (requester: Requester) => V | undefined;

export const anyRequester: Authenticate<Requester> = (requester) => requester;
export const signedInRequester: Authenticate<SignedInRequester> = (requester) =>
  isSignedIn(requester) ? requester : undefined;

export interface PageRoute<V> {
  readonly path: string;
  /** The page that shows the form or button, if it has another URL. */
  readonly shownAt?: string;
  readonly authenticate: Authenticate<V>;
}

interface Request {
  readonly query: Readonly<Record<string, unknown>>;
  /** Empty for GET. */
  readonly fields: FormFields;
}

/**
 * Pages use GET, forms and buttons POST. Visitors who have to sign in return to the page
 * afterwards.
 */
export function definePageRoute<V>(
  method: 'GET' | 'POST',
  { path, shownAt, authenticate }: PageRoute<V>,
  respond: (context: PageContext<V>, request: Request) => Promise<RouteResponse>,
): Route {
  return defineRoute({
    ...forAnyRequester,
    method,
    path,
    query: Type.Object({}),
    body: method === 'POST' ? 'form' : undefined,
    async handle(http, { caller, query, body, request, reply }) {
      const { installation } = http.ctx;
      const atBase = method === 'GET' ? findPageAtBase(request.raw, installation) : undefined;
      if (atBase !== undefined) return seeOther(atBase);
      const requester = authenticate(caller);
      if (requester === undefined) return signInFirst(shownAt ?? request.raw.url ?? path);
      const given = query as Request['query'];
      const ledHere = cameFromApp(request.headers, installation);
      const done = ledHere && typeof given['done'] === 'string' ? given['done'] : undefined;
      const words = pageWords(caller.ctx.language ?? 'en');
      const context = { requester, query: given, done, reply, words };
      return respond(context, { query: given, fields: body ?? {} });
    },
  });
}

export function signInFirst(url: string): RouteResponse {
  return seeOther(`${appPages.signIn}?next=${encodeURIComponent(url)}`);
}
