import type { ServerState } from '../../src/editor/draft.ts';
import type {
  DraftServer,
  Failure,
  LoadResult,
  SaveResult,
} from '../../src/editor/draft-server.ts';
import { type Fields, sameValue } from '../../src/editor/fields.ts';

interface Request {
  readonly kind: 'load' | 'save';
  readonly patch: Fields;
  readonly perform: () => LoadResult | SaveResult;
  readonly respond: (result: LoadResult | SaveResult) => void;
}

/**
 * `ok`: done, with a response. `lost`: done, but the response is lost. `late`: it is done only when
 * `performLate` is called, long after the client has given up. Failures happen before it is done.
 */
export type Outcome = 'ok' | 'lost' | 'late' | Failure['kind'] | 'refused';

export interface Commit {
  readonly by: 'client' | 'others';
  readonly fields: Fields;
}

/** This field is a separate part: it is loaded only by name, and has requests of its own. */
export const part = 'chapters';

/** One episode on a server that responds when the test says so. It trims stored texts. */
export class FakeServer {
  state: ServerState;
  readonly commits: Commit[] = [];
  readonly saves: Fields[] = [];
  #waiting: Request[] = [];
  #late: (() => void)[] = [];

  constructor(fields: Fields) {
    this.state = { revision: 1, fields };
  }

  /** The server as a tab sees it. Responses to a tab that has ended are dropped. */
  connect(isAlive: () => boolean): DraftServer {
    const request = <T extends LoadResult | SaveResult>(
      kind: Request['kind'],
      patch: Fields,
      perform: () => T,
    ) =>
      new Promise<T>((resolve) => {
        const respond = (result: LoadResult | SaveResult) => {
          if (isAlive()) resolve(result as T);
        };
        this.#waiting.push({ kind, patch, perform, respond });
      });
    return {
      load: (fields) =>
        request<LoadResult>('load', {}, () => ({
          kind: 'loaded',
          ...(fields.includes(part) ? this.state : this.form),
        })),
      portionOf(patch) {
        const form = withoutPart(patch);
        return Object.keys(form).length > 0 ? form : patch;
      },
      save: (patch, revision) => {
        this.saves.push(patch);
        return request<SaveResult>('save', patch, () => this.#save(patch, revision, 'client'));
      },
    };
  }

  /** The form without the part. */
  get form(): ServerState {
    return { ...this.state, fields: withoutPart(this.state.fields) };
  }

  get waiting(): readonly Request[] {
    return this.#waiting;
  }

  /** How long the busy server wants no requests. */
  retryAfterSeconds = 0;

  /** Responds to the oldest request. */
  respond(outcome: Outcome): void {
    const request = this.#waiting.shift();
    if (request === undefined) return;
    if (outcome === 'ok') request.respond(request.perform());
    else if (outcome === 'lost') {
      request.perform();
      request.respond({ kind: 'offline' });
    } else if (outcome === 'late') {
      this.#late.push(request.perform);
      request.respond({ kind: 'offline' });
    } else if (outcome === 'busy') {
      request.respond({ kind: outcome, retryAfterSeconds: this.retryAfterSeconds });
    } else if (outcome !== 'refused') request.respond({ kind: outcome });
    else if (request.kind === 'load') request.respond({ kind: 'busy' });
    else request.respond(refuse(request.patch));
  }

  performLate(): void {
    this.#late.shift()?.();
  }

  /** Somebody else saves, over any revision. */
  saveByOthers(fields: Fields): void {
    this.#save(fields, this.state.revision, 'others');
  }

  #partOf({ revision, fields }: ServerState): ServerState {
    return { revision, fields: { [part]: fields[part] ?? null } };
  }

  #save(patch: Fields, revision: number, by: Commit['by']): SaveResult {
    if (revision !== this.state.revision) return { kind: 'conflict' };
    const trimmed = Object.fromEntries(
      Object.entries(patch).map(([field, value]) => {
        return [field, typeof value === 'string' ? value.trim() : value];
      }),
    );
    const fields = { ...this.state.fields, ...trimmed };
    // Like the real server: without a change there is no new revision.
    if (!sameValue(fields, this.state.fields)) {
      this.state = { revision: revision + 1, fields };
      this.commits.push({ by, fields: trimmed });
    }
    const told = Object.keys(patch).includes(part) ? this.#partOf(this.state) : this.form;
    return { kind: 'saved', ...told };
  }
}

function withoutPart(fields: Fields): Fields {
  const { [part]: _, ...form } = fields;
  return form;
}

function refuse(patch: Fields): SaveResult {
  const field = Object.keys(patch)[0] ?? '';
  return { kind: 'refused', problems: { [field]: 'no' }, message: 'no' };
}
