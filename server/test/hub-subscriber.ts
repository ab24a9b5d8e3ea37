import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'light-my-request';
import type { NotificationTest, ToldChannel } from './open-notification-test.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Subscribers of the hub: every path of the test's server that begins with `/s` is a callback. */
export interface HubSubscribers {
  /** Sends a form to the hub; `hub.` is added to the names. A callback is a path. */
  post(fields: Record<string, string>): Promise<Response>;
  /** Subscribes to the feed of `night-signals`, and lets the callback confirm it. */
  subscribe(callback?: string, fields?: Record<string, string>): Promise<void>;
  /** The questions that a callback got, as the parameters of each, without `hub.`. */
  questions(callback?: string): Record<string, string>[];
  /** The feeds that a callback got. */
  deliveries(callback?: string): ToldChannel[];
  /** Sets how callbacks answer questions, and deliveries; undefined: as they should. */
  answer(question: Respond | undefined, delivery?: Respond): void;
  readonly topic: string;
}

const parametersOf = (path: string) =>
  Object.fromEntries(
    [...new URL(path, 'http://x').searchParams].map(([name, value]) => [
      name.replace(/^hub\./, ''),
      value,
    ]),
  );

/** Responds with the challenge, as a subscriber that wants what it is asked. */
export const confirm: Respond = ({ url = '' }, response) =>
  void response.end(parametersOf(url)['challenge']);

export function createHubSubscribers(feeds: NotificationTest): HubSubscribers {
  let answers: { question: Respond; delivery: Respond | undefined } = {
    question: confirm,
    delivery: undefined,
  };
  const topic = `${feeds.test.config.baseUrl}/feeds/night-signals.xml`;
  feeds.respond((request, response) => {
    if (!request.url?.startsWith('/s')) response.end();
    else if (request.method === 'GET') answers.question(request, response);
    else if (answers.delivery === undefined) response.writeHead(204).end();
    else answers.delivery(request, response);
  });
  const toCallback = (callback: string, method: string) =>
    feeds.received.filter(
      (told) =>
        told.method === method &&
        (told.path === callback || told.path.startsWith(`${callback}${separatorOf(callback)}`)),
    );
  const post: HubSubscribers['post'] = ({ callback, ...fields }) => {
    const url = callback?.startsWith('/') ? `${feeds.host.url}${callback}` : callback;
    const all = { ...fields, ...(url === undefined ? {} : { callback: url }) };
    const form = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [`hub.${name}`, value]),
    );
    return feeds.test.request({
      method: 'POST',
      url: '/hub',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${new URLSearchParams(form)}`,
    });
  };
  return {
    ...{ post, topic },
    async subscribe(callback = '/s', fields = {}) {
      await post({ mode: 'subscribe', topic, callback, ...fields });
      feeds.test.clock.advance(10_000);
      await feeds.send();
    },
    questions: (callback = '/s') =>
      toCallback(callback, 'GET').map(({ path }) => parametersOf(path)),
    deliveries: (callback = '/s') => toCallback(callback, 'POST'),
    answer(question, delivery) {
      answers = { question: question ?? confirm, delivery };
    },
  };
}

const separatorOf = (callback: string) => (callback.includes('?') ? '&' : '?');
