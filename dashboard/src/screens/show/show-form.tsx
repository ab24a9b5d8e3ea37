import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { editShow, type ShowChanges, type ShowSettings } from '../../api/show-settings.ts';
import { Form } from '../../components/form.tsx';
import { showMessage } from '../../components/toasts.ts';
import { useLeaveWarning } from '../../lib/use-leave-warning.ts';
import { Conflict } from './conflict.tsx';
import { conflictOf, useShowWrite } from './use-show-write.ts';

type Name = keyof ShowChanges & keyof ShowSettings;

export interface ShowFields {
  /** What was typed, else what is saved. */
  value<N extends Name>(name: N): ShowSettings[N];
  set<N extends Name>(name: N, value: ShowSettings[N]): void;
  /** For a text that may be missing: an empty one is none. */
  text(name: Name): { value: string; onChange: (value: string) => void; problem?: string };
}

interface Props {
  readonly show: ShowSettings;
  readonly names: readonly Name[];
  readonly children: (fields: ShowFields) => ReactNode;
}

/** What was typed and not saved, by show and fields, while one looks at another tab of the show. */
const kept = new Map<string, Partial<ShowSettings>>();

/** Some fields of a show, saved together. Only what was changed is sent. */
export function ShowForm({ show, names, children }: Props) {
  const { t } = useLingui();
  const key = `${show.id} ${names.join(' ')}`;
  const [typed, setState] = useState<Partial<ShowSettings>>(() => kept.get(key) ?? {});
  const setTyped = (next: Partial<ShowSettings>) => {
    kept.set(key, next);
    setState(next);
  };
  const changed = names.filter((name) => name in typed && !isSame(typed[name], show[name]));
  const changes = Object.fromEntries(changed.map((name) => [name, typed[name]])) as ShowChanges;
  const write = useShowWrite(show, {
    write: (revision) => editShow(show.id, revision, changes),
    parts: () => changed,
    onSuccess() {
      setTyped({});
      showMessage({ text: t`Saved.` });
    },
  });
  useLeaveWarning(changed.length > 0);
  const set: ShowFields['set'] = (name, value) => setTyped({ ...kept.get(key), [name]: value });
  const fields: ShowFields = {
    value: (name) => ({ ...show, ...typed })[name],
    set,
    text(name) {
      const problem = problemOf(write.error, name);
      return {
        value: String(fields.value(name) ?? ''),
        onChange: (value) => set(name, (value === '' && isOptional(name) ? null : value) as never),
        ...(problem !== undefined && { problem }),
      };
    },
  };
  const hasConflict = conflictOf(write.error) !== undefined;
  return (
    <>
      <Conflict
        show={show}
        error={write.error}
        onOverwrite={write.overwrite}
        onDiscard={() => {
          setTyped({});
          write.reset();
        }}
      />
      <Form
        onSubmit={() => changed.length > 0 && write.save()}
        submit={t`Save`}
        kind={changed.length > 0 ? 'primary' : 'plain'}
        isPending={write.isPending}
        error={hasConflict ? null : write.error}
        fields={names}
      >
        {children(fields)}
      </Form>
    </>
  );
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const required: readonly Name[] = [
  'slug',
  'title',
  'author',
  'description',
  'language',
  'timezone',
];
const isOptional = (name: Name) => !required.includes(name);
