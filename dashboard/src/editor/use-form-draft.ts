import { useQuery } from '@tanstack/react-query';
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { meQuery } from '../api/me.ts';
import { useLeaveWarning } from '../lib/use-leave-warning.ts';
import { isClean } from './draft.ts';
import { type Fields, sameValue } from './fields.ts';
import { discardEdits, saveMine, takeTheirs } from './form-decisions.ts';
import { createFormServer, type FormServer, type FormSource, stateOf } from './form-server.ts';
import { keepingOf, useKeeping } from './keeping.ts';
import { draftStore, openEngine } from './open-engine.ts';
import type { SaveEngine } from './save-engine.ts';
import type { SaveState } from './save-state.ts';
import { useSignIn } from './use-save-state.ts';

/** A form whose changes are stored in this browser until the person saves them. */
export interface FormDraft {
  readonly state: SaveState;
  /** Why the last save failed; null: it did not. */
  readonly error: unknown;
  readonly edit: (changes: Fields) => void;
  readonly save: () => void;
  readonly discard: () => void;
  readonly saveMine: () => void;
  readonly takeTheirs: () => void;
}

interface Options<Data extends { readonly revision: number }> extends FormSource<Data> {
  /** Its name among all forms of the person. */
  readonly name: string;
  /** The server's state, as far as the app knows it. */
  readonly data: Data;
}

interface Opened {
  readonly engine: SaveEngine;
  readonly server: FormServer;
}

/** Undefined until it is known who is signed in. */
export function useFormDraft<Data extends { readonly revision: number }>(
  options: Options<Data>,
): FormDraft | undefined {
  const { data } = options;
  const { opened, reopen } = useOpened(options);
  const engine = opened?.engine;
  const subscribe = useCallback(
    (listener: () => void) => engine?.subscribe(listener) ?? (() => {}),
    [engine],
  );
  const state = useSyncExternalStore(subscribe, () => engine?.state);
  useEffect(() => void engine?.noticeRevision(data.revision), [engine, data.revision]);
  const shown = useRef(0);
  const isOtherwise =
    state?.dirty === false &&
    state.revision === data.revision &&
    !sameValue(state.values, options.fieldsOf(data));
  useEffect(() => {
    // The server may have changed the saved text (trimmed it), which is shown once.
    if (!isOtherwise || shown.current === data.revision) return;
    shown.current = data.revision;
    reopen();
  });
  useSignIn(engine);
  useKeeping(state && keepingOf(state, 'manual'));
  useLeaveWarning(state?.closingLosesText === true);
  if (opened === undefined || state === undefined) return undefined;
  const isFailed = !['saving', 'saved', 'waiting', 'overlapping'].includes(state.status);
  return {
    state,
    error: isFailed ? (opened.server.lastError() ?? null) : null,
    edit: (changes) => opened.engine.edit(changes),
    save: () => void opened.engine.update(),
    discard: () => void discardEdits(opened.engine),
    saveMine: () => void saveMine(opened.engine),
    takeTheirs: () => void takeTheirs(opened.engine),
  };
}

function useOpened<Data extends { readonly revision: number }>(options: Options<Data>) {
  const { data: me } = useQuery(meQuery);
  const userId = me?.user.id;
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const [opened, setOpened] = useState<Opened>();
  const [openings, setOpenings] = useState(0);
  const subjectId = `form ${options.name}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened anew when `reopen` says so.
  useLayoutEffect(() => {
    if (userId === undefined) return undefined;
    const source = latest.current;
    const server = createFormServer(source, source.data);
    const key = { userId, subjectId };
    const initial = stateOf(source, source.data);
    const { engine, leave } = openEngine({ key, initial, mode: 'manual', server });
    setOpened({ engine, server });
    return () => void leave().then(() => removeClean(userId, subjectId));
  }, [userId, subjectId, openings]);
  async function reopen(): Promise<void> {
    if (userId !== undefined) await removeClean(userId, subjectId);
    setOpenings((before) => before + 1);
  }
  return { opened, reopen: () => void reopen() };
}

/** A saved draft is removed from the browser. */
async function removeClean(userId: string, subjectId: string): Promise<void> {
  // A browser without storage has nothing to remove.
  await draftStore.removeIf({ userId, subjectId }, isClean).catch(() => {});
}
