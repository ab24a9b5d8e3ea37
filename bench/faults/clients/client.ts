import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../fuzz/random.ts';
import type { Findings } from '../findings.ts';
import { type Fleet, origin } from '../fleet.ts';
import type { FaultWorld } from '../world.ts';

/** Does one thing at a time, and keeps what was promised to it. */
export interface Client {
  readonly name: string;
  step(): Promise<void>;
  /** When faults are over: everything that was acknowledged must be there. */
  check?(): Promise<void>;
}

export interface Surroundings {
  readonly fleet: Fleet;
  readonly world: FaultWorld;
  readonly random: Random;
  readonly findings: Findings;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly json: unknown;
}

export interface Question {
  readonly method?: string;
  readonly body?: object | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed in as the owner; a key instead, if given. */
  readonly key?: string;
  readonly isAnonymous?: boolean;
  /** Breaks off after so many bytes of the body were sent. */
  readonly breakAfter?: number;
}

/** Longer than the longest that is documented. */
const hangsAfterMs = 110_000;
const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const agent = new Agent({ keepAlive: false });

/** Whether it is known what became of a request: 2xx and 4xx say so, everything else doesn't. */
export const isClear = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && answer.status < 500;

/** Sends requests of one client to any process that listens. */
export class Asker {
  readonly #around: Surroundings;
  #turn: number;

  constructor(around: Surroundings) {
    this.#around = around;
    this.#turn = around.random.below(100);
  }

  /** Undefined: there was no response. */
  async ask(path: string, question: Question = {}): Promise<Answer | undefined> {
    const { fleet, findings } = this.#around;
    this.#turn += 1;
    const server = fleet.pick(this.#turn);
    if (server === undefined) {
      await sleep(50);
      return undefined;
    }
    const fromMs = performance.now();
    const answer = await this.#send(server.url + path, question);
    const tookMs = performance.now() - fromMs;
    const kind = path.split('?', 1)[0]?.replaceAll(ids, 'ID') ?? '';
    findings.took(
      'a response',
      tookMs,
      `${question.method ?? 'GET'} ${kind} ${answer?.status ?? 'none'}`,
    );
    if (tookMs >= hangsAfterMs) findings.problem(`${path} was not answered in time`);
    findings.count(answer === undefined ? 'no response' : `status ${answer.status}`);
    if (answer?.status === 500) findings.problem(`500: ${path} ${answer.body}`);
    return answer;
  }

  /** Repeats it until the outcome is clear or the faults end. Only for what may be repeated. */
  async insist(path: string, question: Question = {}): Promise<Answer | undefined> {
    for (;;) {
      const answer = await this.ask(path, question);
      if (isClear(answer) && answer.status !== 429) return answer;
      if (this.#around.signal.aborted) return undefined;
      await sleep(this.#around.random.below(100) + 20);
    }
  }

  #send(url: string, question: Question): Promise<Answer | undefined> {
    const { method = 'GET', body, key, isAnonymous = false, breakAfter } = question;
    const bytes =
      body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const headers = {
      ...(method === 'GET' ? {} : { origin, 'if-match': '*' }),
      ...(isAnonymous || key !== undefined ? {} : { cookie: this.#around.world.cookie }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(bytes !== undefined && { 'content-length': String(bytes.length) }),
      ...(bytes !== body && { 'content-type': 'application/json' }),
      ...question.headers,
    };
    return new Promise((resolve) => {
      const sent = request(url, { agent, method, headers, timeout: hangsAfterMs }, (response) => {
        buffer(response).then(
          (whole) =>
            resolve(
              response.complete
                ? toAnswer(response.statusCode, response.headers, whole)
                : undefined,
            ),
          () => resolve(undefined),
        );
      });
      sent.on('error', () => resolve(undefined));
      sent.on('timeout', () => sent.destroy());
      if (breakAfter === undefined) sent.end(bytes);
      else
        sent.write(bytes?.subarray(0, breakAfter) ?? '', () => setTimeout(() => sent.destroy(), 5));
    });
  }
}

function toAnswer(status = 0, headers: IncomingHttpHeaders, body: Buffer): Answer {
  return {
    ...{ status, headers, body },
    get json() {
      return JSON.parse(body.toString()) as unknown;
    },
  };
}

/** The `data` of a response, as this type. */
export const dataOf = <T>(answer: Answer): T => (answer.json as { data: T }).data;
