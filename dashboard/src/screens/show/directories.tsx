import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type DirectoriesOfShow,
  type Directory,
  directoriesQuery,
  type ShowSettings,
  setDirectories,
} from '../../api/show-settings.ts';
import { Badge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { DraftForm } from '../../editor/draft-form.tsx';
import type { Fields } from '../../editor/fields.ts';
import { type FormDraft, useFormDraft } from '../../editor/use-form-draft.ts';
import { sayDirectorySteps } from '../../sentences/say-directory-steps.ts';
import { FeedNotifications } from './feed-notifications.tsx';
import { refreshAfterWrite } from './refresh-after-write.ts';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { useFieldName } from './use-field-name.ts';

/** Where the show is listed, and how it gets to the other directories. */
export function Directories() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Directories`} needs={({ edit }) => edit}>
      {(show) => (
        <div className={styles['plain']}>
          <p>
            <Trans>
              You submit a show to each directory once. After that, directories get new episodes
              from the feed. Your show’s page links to the directories that list it.
            </Trans>
          </p>
          <CopyField label={t`Feed URL`} value={show.links.feed} />
          <List show={show} />
          <FeedNotifications podcastId={show.id} />
        </div>
      )}
    </ShowPage>
  );
}

function List({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const query = useQuery(directoriesQuery(show.id));
  return (
    <QueryView query={query}>
      {(saved) => (
        <>
          {show.owner_email === null && saved.directories.some(needsEmail) && (
            <Notice tone="warn">
              <Trans>
                Some directories send an email to the address in the feed, but the feed has none.
                First add the owner’s email address under Details.
              </Trans>
            </Notice>
          )}
          <Cards label={t`Directories`}>
            {saved.directories.map((directory) => (
              <DirectoryCard
                key={directory.directory}
                show={show}
                directory={directory}
                saved={saved}
              />
            ))}
          </Cards>
        </>
      )}
    </QueryView>
  );
}

const needsEmail = ({ status, needs_owner_email: needs }: Directory) => needs && status === 'todo';

interface Props {
  readonly show: ShowSettings;
  readonly directory: Directory;
  readonly saved: DirectoriesOfShow;
}

function DirectoryCard({ show, directory, saved }: Props) {
  const { t } = useLingui();
  const { name, status, submit_url: submitUrl } = directory;
  const statuses = { todo: t`To do`, submitted: t`Submitted`, listed: t`Listed` };
  const tone = { todo: undefined, submitted: 'info', listed: 'good' } as const;
  const tones = tone[status];
  return (
    <Card
      title={
        <>
          {name} <Badge {...(tones !== undefined && { tone: tones })}>{statuses[status]}</Badge>
        </>
      }
      actions={
        submitUrl !== null &&
        status === 'todo' && (
          <a
            className={buttonClass('plain', 'small')}
            href={submitUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t`Open ${name}`}
          </a>
        )
      }
    >
      <details open={status === 'submitted'}>
        <summary>{status === 'listed' ? t`Change` : t`How it works`}</summary>
        {status !== 'listed' && (
          <ol className={styles['steps']}>
            {sayDirectorySteps(directory).map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <ListingForm show={show} directory={directory} saved={saved} statuses={statuses} />
      </details>
    </Card>
  );
}

interface ListingFormProps {
  readonly show: ShowSettings;
  readonly directory: Directory;
  readonly saved: DirectoriesOfShow;
  readonly statuses: Readonly<Record<Directory['status'], string>>;
}

/** How far a show has come in one directory. */
function ListingForm({ show, directory, saved, statuses }: ListingFormProps) {
  const { t } = useLingui();
  const draft = useListingDraft(show, directory, saved);
  const nameOf = useFieldName();
  if (draft === undefined) return null;
  const { status, url } = draft.state.values;
  const at = saved.directories.findIndex((one) => one.directory === directory.directory);
  const field = `directories[${at}].url`;
  return (
    <div className={styles['listing']}>
      <DraftForm
        nameOf={nameOf}
        draft={draft}
        fields={[field]}
        describe={(name, value) =>
          name === 'status' ? statuses[value as Directory['status']] : String(value ?? t`(empty)`)
        }
      >
        <Select
          label={t`Status`}
          value={status as Directory['status']}
          onChange={(chosen) => draft.edit({ status: chosen })}
          options={Object.entries(statuses).map(([value, label]) => {
            return { value: value as Directory['status'], label };
          })}
        />
        <TextField
          label={t`Show’s URL in the directory`}
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
