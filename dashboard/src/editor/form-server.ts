import { ApiError } from '../api/errors.ts';
import type { ServerState } from './draft.ts';
import type { DraftServer, SaveResult } from './draft-server.ts';
import { failureOf, refusalOf } from './failed-request.ts';
import type { Fields } from './fields.ts';

interface Revised {
  readonly revision: number;
}

/** The source and the target of a form's fields. */
export interface FormSource<Data extends Revised> {
  readonly fieldsOf: (data: Data) => Fields;
  /** The data that the app has already. */
  readonly known: () => Data | undefined;
  readonly load: () => Promise<Data>;
  /** Writes over `last`; refused if the server has a newer revision. */
  readonly write: (patch: Fields, last: Data) => Promise<Data>;
  /** The form's field for a problem, if the server calls it otherwise. */
  readonly fieldNamed?: (name: string) => string;
  readonly onSaved: (written: Data) => void;
}

export interface FormServer extends DraftServer {
  /** Why the last save failed; undefined: it did not. */
  readonly lastError: () => unknown;
}

/** The server of a form that the person saves. It uses the app's data if they are newer. */
export function createFormServer<Data extends Revised>(
  source: FormSource<Data>,
  initial: Data,
): FormServer {
  let last = initial;
  let needed = initial.revision + 1;
  let lastError: unknown;
  const take = (data: Data): ServerState => {
    last = data;
    needed = data.revision + 1;
    return stateOf(source, data);
  };
  const refuse = (error: unknown): SaveResult | undefined => {
    const refusal = refusalOf(error);
    if (refusal?.kind !== 'refused' || source.fieldNamed === undefined) return refusal;
    const { fieldNamed } = source;
    const problems = Object.entries(refusal.problems).map(([name, problem]) => {
      return [fieldNamed(name), problem];
    });
    return { ...refusal, problems: Object.fromEntries(problems) };
  };
  return {
    lastError: () => lastError,
    async load(fields) {
      try {
        const known = source.known();
        const isNews = known !== undefined && known.revision >= needed;
        const state = take(isNews ? known : await source.load());
        // A draft of an older release may have fields that the form has no more.
        const gone = Object.fromEntries(fields.map((field) => [field, null]));
        return { kind: 'loaded', ...state, fields: { ...gone, ...state.fields } };
      } catch (error) {
        lastError = error;
        return failureOf(error);
      }
    },
    async save(patch, revision) {
      if (last.revision !== revision) {
        // Another tab has a newer state.
        needed = Math.max(needed, revision);
        return { kind: 'conflict' };
      }
      try {
        const written = await source.write(patch, last);
        lastError = undefined;
        source.onSaved(written);
        return { kind: 'saved', ...take(written) };
      } catch (error) {
        lastError = error;
        if (error instanceof ApiError) needed = Math.max(needed, error.revision ?? 0);
        return refuse(error) ?? failureOf(error);
      }
    },
  };
}

export function stateOf<Data extends Revised>(
  { fieldsOf }: Pick<FormSource<Data>, 'fieldsOf'>,
  data: Data,
): ServerState {
  return { revision: data.revision, fields: fieldsOf(data) };
}
