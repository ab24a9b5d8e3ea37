import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import {
  editShow,
  type ShowChanges,
  type ShowSettings,
  showQuery,
} from '../../api/show-settings.ts';
import { showMessage } from '../../components/toasts.ts';
import { useFormDraft } from '../../editor/use-form-draft.ts';
import { ElementsForm, elementFieldNamed, elementFieldsOf } from '../../elements/elements-form.tsx';
import styles from './prefixes-form.module.css';
import { PrefixesForm } from './prefixes-form.tsx';
import { refreshAfterWrite } from './refresh-after-write.ts';
import { ShowPage } from './show-page.tsx';

/** Elements of the show's feed that few shows need. */
export function Advanced() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Advanced`} needs={({ edit }) => edit}>
      {(show) => (
        <>
          <div className={styles['apart']}>
            <PrefixesForm show={show} />
          </div>
          <ElementsOfShow show={show} />
        </>
      )}
    </ShowPage>
  );
}

function ElementsOfShow({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = showQuery(show.id);
  const draft = useFormDraft<ShowSettings>({
    name: `${show.id} advanced`,
    data: show,
    fieldsOf: (data) => elementFieldsOf('show', data),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision }) => editShow(show.id, revision, patch as ShowChanges),
    fieldNamed: elementFieldNamed,
    onSaved(written) {
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
  return draft === undefined ? null : <ElementsForm owner="show" draft={draft} />;
}
