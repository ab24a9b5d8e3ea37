import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openHttpHost } from './http-host.ts';
import { type DiscoveredTopic, discoverTopic } from './web-links.ts';

/** What a hub responded to a request. */
export interface HubReply {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A request to confirm or refuse something: the query, as it arrived. */
export interface HubQuestion {
  readonly mode: string;
  readonly topic: string;
  readonly challenge: string;
  readonly leaseSeconds: number | undefined;
  readonly target: string;
  readonly at: number;
}

/** A content distribution request. */
export interface HubContent {
  readonly target: string;
  readonly type: string;
  /** Its `Link` headers, one entry a header. */
  readonly links: readonly string[];
  readonly signature: string | undefined;
  readonly body: Buffer;
  /** Whether the subscriber uses it: it has a signature exactly if there is a secret. */
  readonly trusted: boolean;
}

export interface TopicRequest {
  readonly hub: string;
  readonly topic: string;
  readonly leaseSeconds?: number | string;
  readonly secret?: string;
  /** Other parameters of the form. */
  readonly more?: Readonly<Record<string, string>>;
}

type Respond = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

/** One callback of a subscriber, with what it knows about its subscription. */
export interface TopicSubscription {
  readonly callback: string;
  state: 'none' | 'active' | 'denied' | 'ended';
  /** Until when the hub delivers, in milliseconds; set by the last confirmed request. */
  until: number | undefined;
  readonly questions: readonly HubQuestion[];
  readonly contents: readonly HubContent[];
  /** Responds to questions, or to contents, in place of what the recommendation says. */
  question: Respond | undefined;
  content: Respond | undefined;
  subscribe(request: TopicRequest): Promise<HubReply>;
  unsubscribe(request: TopicRequest): Promise<HubReply>;
}

export interface WebSubSubscriber extends AsyncDisposable {
  /** Finds the hubs and the topic of a resource, and follows redirects. */
  discover(resource: string): Promise<DiscoveredTopic>;
  /** A callback that no other subscription has. `query` is a part of its URL. */
  createSubscription(query?: string): TopicSubscription;
}

/**
 * A subscriber of WebSub, written from the text of the W3C Recommendation
 * (https://www.w3.org/TR/2018/REC-websub-20180123/), not from this service's hub. The sections in
 * comments are those of the text.
 */
export async function openWebSubSubscriber(now = Date.now): Promise<WebSubSubscriber> {
  const subscriptions = new Map<string, CallbackSubscription>();
  const host = await openHttpHost((request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const subscription = subscriptions.get(path);
    if (subscription === undefined) return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => subscription.handle(request, response, Buffer.concat(chunks)));
  });
  return {
    discover: async (resource) => discoverTopic(await fetch(resource)),
    createSubscription(query) {
      const path = `/${randomBytes(24).toString('base64url')}`;
      const url = `${host.url}${path}${query === undefined ? '' : `?${query}`}`;
      const subscription = new CallbackSubscription(url, now);
      subscriptions.set(path, subscription);
      return subscription;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

class CallbackSubscription implements TopicSubscription {
  readonly callback: string;
  readonly questions: HubQuestion[] = [];
  readonly contents: HubContent[] = [];
  state: TopicSubscription['state'] = 'none';
  until: number | undefined;
  question: Respond | undefined;
  content: Respond | undefined;
  readonly #now: () => number;
  #pending: { mode: string; topic: string; secret: string | undefined } | undefined;
  #secret: string | undefined;

  constructor(callback: string, now: () => number) {
    this.callback = callback;
    this.#now = now;
  }

  subscribe(request: TopicRequest): Promise<HubReply> {
    return this.#send('subscribe', request);
  }

  unsubscribe(request: TopicRequest): Promise<HubReply> {
    return this.#send('unsubscribe', request);
  }

  /** Section 5.1: a form in UTF-8. Section 5.1.2: 307 and 308 name another hub. */
  async #send(mode: string, { hub, topic, leaseSeconds, secret, more }: TopicRequest) {
    this.#pending = { mode, topic, secret };
    const form = new URLSearchParams({
      'hub.callback': this.callback,
      'hub.mode': mode,
      'hub.topic': topic,
      ...(leaseSeconds === undefined ? {} : { 'hub.lease_seconds': String(leaseSeconds) }),
      ...(secret === undefined ? {} : { 'hub.secret': secret }),
      ...more,
    });
    const response = await fetch(hub, { method: 'POST', body: form, redirect: 'follow' });
    const type = response.headers.get('content-type') ?? '';
    return { status: response.status, type, text: await response.text() };
  }

  handle(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const isQuestion = request.method === 'GET';
    if (isQuestion) this.#record(request);
    else this.#keep(request, body);
    const other = isQuestion ? this.question : this.content;
    if (other !== undefined) other(request, response, body);
    else if (isQuestion) this.#decide(response);
    else response.writeHead(204).end();
  }

  /** Section 5.1.1: the hub's parameters are after those of the callback. */
  #record({ url: target = '' }: IncomingMessage): void {
    const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
    const lease = query.get('hub.lease_seconds');
    this.questions.push({
      mode: query.getAll('hub.mode').at(-1) ?? '',
      topic: query.getAll('hub.topic').at(-1) ?? '',
      challenge: query.getAll('hub.challenge').at(-1) ?? '',
      leaseSeconds: lease === null ? undefined : Number(lease),
      target,
      at: this.#now(),
    });
  }

  /** Sections 5.2 and 5.3.1: confirms only what was requested; everything else is 404. */
  #decide(response: ServerResponse): void {
    const question = this.questions.at(-1);
    const pending = this.#pending;
    if (question?.mode === 'denied') {
      this.state = 'denied';
      return void response.writeHead(200).end();
    }
    if (question?.mode !== pending?.mode || question?.topic !== pending?.topic) {
      return void response.writeHead(404).end();
    }
    this.#pending = undefined;
    this.#secret = pending?.mode === 'subscribe' ? pending.secret : undefined;
    this.state = pending?.mode === 'subscribe' ? 'active' : 'ended';
    const { at = 0, leaseSeconds = 0, challenge } = question ?? {};
    this.until = this.state === 'active' ? at + leaseSeconds * 1000 : undefined;
    response.writeHead(200, { 'content-type': 'text/plain' }).end(challenge);
  }

  /** Section 7.1.2: a content without a valid signature is not used, but acknowledged. */
  #keep({ url: target = '', headersDistinct }: IncomingMessage, body: Buffer): void {
    const signature = headersDistinct['x-hub-signature']?.join();
    this.contents.push({
      target,
      type: headersDistinct['content-type']?.join() ?? '',
      links: headersDistinct['link'] ?? [],
      signature,
      body,
      trusted: this.#secret === undefined || isSignature(signature, this.#secret, body),
    });
  }
}

/** Section 7.1: the method is named before the hexadecimal HMAC of the body. */
function isSignature(header: string | undefined, secret: string, body: Buffer): boolean {
  const [method = '', hex = ''] = header?.split('=') ?? [];
  if (!['sha1', 'sha256', 'sha384', 'sha512'].includes(method)) return false;
  const expected = createHmac(method, secret).update(body).digest();
  const given = Buffer.from(hex, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
