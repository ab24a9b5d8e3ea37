import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { problemOf } from '../../api/errors.ts';
import { editShow, type ShowSettings, showQuery } from '../../api/show-settings.ts';
import { showMessage } from '../../components/toasts.ts';
import { asText } from '../../editor/conflict.tsx';
import { DraftForm } from '../../editor/draft-form.tsx';
import type { Fields, FieldValue } from '../../editor/fields.ts';
import { useFormDraft } from '../../editor/use-form-draft.ts';
import { pathOf } from './category-fields.tsx';
import { refreshAfterWrite } from './refresh-after-write.ts';
import {
  type Category,
  changesOf,
  type FieldName,
  fieldNamed,
  fieldsOfShow,
  isOptional,
  maxLengthOf,
  type ShowFields,
  type ShowFormFields,
} from './show-fields.ts';
import { useFieldName } from './use-field-name.ts';

interface Props {
  readonly show: ShowSettings;
  /** Its name among the forms of a show. */
  readonly form: string;
  readonly names: readonly FieldName[];
  /** Its buttons stay visible at the end of the window while there are changes. */
  readonly hasBar?: boolean;
  readonly children: (fields: ShowFields) => ReactNode;
}

/** Some fields of a show, saved together. Only what was changed is sent. */
export function ShowForm({ show, form, names, hasBar = false, children }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = showQuery(show.id);
  const draft = useFormDraft<ShowSettings>({
    name: `${show.id} ${form}`,
    data: show,
    fieldsOf: (data) => fieldsOfShow(data, names),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision }) =>
      editShow(show.id, revision, changesOf(patch as Partial<ShowFormFields>)),
    fieldNamed,
    onSaved(written) {
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
  const nameOf = useFieldName();
  if (draft === undefined) return null;
  const { state, edit } = draft;
  const fields: ShowFields = {
    value: (name) =>
      (name in state.values ? state.values : fieldsOfShow(show, [name]))[name] as never,
    set: (changes) => edit(changes as Fields),
    problem: (name) => problemOf(draft.error, name),
    text(name) {
      const problem = state.problems[name];
      const maxLength = maxLengthOf(name);
      return {
        value: String(state.values[name] ?? ''),
        onChange: (value) => edit({ [name]: value === '' && isOptional(name) ? null : value }),
        ...(problem !== undefined && { problem }),
        ...(maxLength !== undefined && { maxLength }),
      };
    },
  };
  return (
    <DraftForm
      nameOf={nameOf}
      draft={draft}
      hasBar={hasBar}
      describe={describe}
      fields={[...names, 'category', 'subcategory', 'other_categories[0]']}
    >
      {children(fields)}
    </DraftForm>
  );
}

function describe(field: string, value: FieldValue): ReactNode {
  const categories = value as unknown as readonly Category[];
  const isList = field === 'categories' && categories.length > 0;
  return isList ? categories.map(pathOf).join(', ') : asText(field, value);
}
