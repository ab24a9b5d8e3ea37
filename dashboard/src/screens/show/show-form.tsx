import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  editShow,
  type ShowChanges,
  type ShowSettings,
  showQuery,
} from '../../api/show-settings.ts';
import { showMessage } from '../../components/toasts.ts';
import type { FieldValue } from '../../editor/fields.ts';
import { useFormDraft } from '../../editor/use-form-draft.ts';
import { DraftForm } from './draft-form.tsx';
import { noteWritten } from './show-written.ts';

type Name = keyof ShowChanges & keyof ShowSettings;

export interface ShowFields {
  /** What was typed, else what is saved. */
  value<N extends Name>(name: N): ShowSettings[N];
  set(changes: Partial<Pick<ShowSettings, Name>>): void;
  /** For a text that may be missing: an empty one is none. */
  text(name: Name): { value: string; onChange: (value: string) => void; problem?: string };
}

interface Props {
  readonly show: ShowSettings;
  /** Its name among the forms of a show. */
  readonly form: string;
  readonly names: readonly Name[];
  readonly children: (fields: ShowFields) => ReactNode;
}

/** Some fields of a show, saved together. Only what was changed is sent. */
export function ShowForm({ show, form, names, children }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = showQuery(show.id);
  const draft = useFormDraft<ShowSettings>({
    name: `${show.id} ${form}`,
    data: show,
    fieldsOf: (data) => Object.fromEntries(names.map((name) => [name, data[name] as FieldValue])),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision }) => editShow(show.id, revision, patch as ShowChanges),
    onSaved(written) {
      void noteWritten(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
  if (draft === undefined) return null;
  const { state, edit } = draft;
  const fields: ShowFields = {
    value: (name) => (name in state.values ? state.values : show)[name] as never,
    set: (changes) => edit(changes),
    text(name) {
      const problem = state.problems[name];
      return {
        value: String(state.values[name] ?? ''),
        onChange: (value) => edit({ [name]: value === '' && isOptional(name) ? null : value }),
        ...(problem !== undefined && { problem }),
      };
    },
  };
  return (
    <DraftForm draft={draft} fields={names}>
      {children(fields)}
    </DraftForm>
  );
}

const required: readonly Name[] = [
  'slug',
  'title',
  'author',
  'description',
  'language',
  'timezone',
];
const isOptional = (name: Name) => !required.includes(name);
