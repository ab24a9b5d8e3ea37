import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import {
  type PeopleOfShow,
  peopleQuery,
  type ShowSettings,
  setPeople,
} from '../../api/show-settings.ts';
import { showMessage } from '../../components/toasts.ts';
import { type FormDraft, useFormDraft } from '../../editor/use-form-draft.ts';
import { entriesOf, fieldsOf, peopleOf } from './listed-person.ts';
import { refreshAfterWrite } from './refresh-after-write.ts';

/** The edited people of a show. */
export function usePeopleDraft(show: ShowSettings, saved: PeopleOfShow): FormDraft | undefined {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = peopleQuery(show.id);
  return useFormDraft<PeopleOfShow>({
    name: `${show.id} people`,
    data: saved,
    fieldsOf: ({ people }) => fieldsOf(people),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, last) =>
      setPeople(show.id, last.revision, entriesOf(peopleOf(patch), last.people)),
    onSaved(written) {
      queries.setQueryData(query.queryKey, written);
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
}
