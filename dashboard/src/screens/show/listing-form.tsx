import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import {
  type DirectoriesOfShow,
  type Directory,
  directoriesQuery,
  type ShowSettings,
  setDirectories,
} from '../../api/show-settings.ts';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import type { Fields } from '../../editor/fields.ts';
import { type FormDraft, useFormDraft } from '../../editor/use-form-draft.ts';
import { DraftForm } from './draft-form.tsx';
import { refreshAfterWrite } from './refresh-after-write.ts';
import styles from './show.module.css';

interface Props {
  readonly show: ShowSettings;
  readonly directory: Directory;
  readonly saved: DirectoriesOfShow;
  readonly statuses: Readonly<Record<Directory['status'], string>>;
}

/** How far a show has come in one directory. */
export function ListingForm({ show, directory, saved, statuses }: Props) {
  const { t } = useLingui();
  const draft = useListingDraft(show, directory, saved);
  if (draft === undefined) return null;
  const { status, url } = draft.state.values;
  const at = saved.directories.findIndex((one) => one.directory === directory.directory);
  const field = `directories[${at}].url`;
  return (
    <div className={styles['listing']}>
      <DraftForm
        draft={draft}
        fields={[field]}
        describe={(name, value) =>
          name === 'status' ? statuses[value as Directory['status']] : String(value ?? t`Nothing`)
        }
      >
        <Select
          label={t`How far it is`}
          value={status as Directory['status']}
          onChange={(chosen) => draft.edit({ status: chosen })}
          options={Object.entries(statuses).map(([value, label]) => {
            return { value: value as Directory['status'], label };
          })}
        />
        <TextField
          label={t`Address of the show there`}
          type="url"
          placeholder={`https://${directory.hosts[0]}/…`}
          value={String(url ?? '')}
          onChange={(typed) =>
            draft.edit(typed === '' ? { url: null } : { url: typed, status: 'listed' })
          }
          problem={draft.state.problems['url']}
        />
      </DraftForm>
    </div>
  );
}

function useListingDraft(
  show: ShowSettings,
  { directory }: Directory,
  saved: DirectoriesOfShow,
): FormDraft | undefined {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = directoriesQuery(show.id);
  return useFormDraft<DirectoriesOfShow>({
    name: `${show.id} directory ${directory}`,
    data: saved,
    fieldsOf: ({ directories }) => {
      const own = directories.find((one) => one.directory === directory);
      return { status: own?.status ?? 'todo', url: own?.url ?? null };
    },
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision, directories }) =>
      setDirectories(show.id, revision, withPatch(directories, directory, patch)),
    fieldNamed: (name) => (name.endsWith('.url') ? 'url' : name),
    onSaved(written) {
      queries.setQueryData(query.queryKey, written);
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`Saved.` });
    },
  });
}

/** The server takes all of them at once. */
function withPatch(all: readonly Directory[], changed: string, patch: Fields) {
  return all.map(({ directory, status, url }) => ({
    ...{ directory, status, url },
    ...(directory === changed && patch),
  }));
}
