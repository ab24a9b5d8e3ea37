import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import {
  type Directory,
  directoriesQuery,
  type Listings,
  type ShowSettings,
  setDirectories,
} from '../../api/show-settings.ts';
import { Badge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { sayDirectorySteps } from '../../sentences/say-directory-steps.ts';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { useShowWrite } from './use-show-write.ts';

/** Where the show is listed, and how it gets to the other directories. */
export function Directories() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Directories`} needs={({ edit }) => edit}>
      {(show) => (
        <div className={styles['plain']}>
          <p>
            <Trans>
              A show is submitted to each directory once. From then on, the directories read new
              episodes from the feed. The page of your show has links to those that list it.
            </Trans>
          </p>
          <CopyField label={t`Address of the feed`} value={show.links.feed} />
          <List show={show} />
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
      {({ directories }) => (
        <>
          {show.owner_email === null && directories.some(needsEmail) && (
            <Notice tone="warn">
              <Trans>
                Some directories send an email to the address in the feed, and the feed has none.
                Add the email address of the owner under Texts first.
              </Trans>
            </Notice>
          )}
          <Cards label={t`Directories`}>
            {directories.map((directory) => (
              <DirectoryCard
                key={directory.directory}
                show={show}
                directory={directory}
                all={directories}
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
  readonly all: readonly Directory[];
}

function DirectoryCard({ show, directory, all }: Props) {
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
        <ListingForm show={show} directory={directory} all={all} statuses={statuses} />
      </details>
    </Card>
  );
}

interface FormProps extends Props {
  readonly statuses: Readonly<Record<Directory['status'], string>>;
}

function ListingForm({ show, directory, all, statuses }: FormProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [status, setStatus] = useState(directory.status);
  const [url, setUrl] = useState(directory.url ?? '');
  const listings: Listings = all.map((one) => {
    const { directory: id } = one;
    if (id !== directory.directory) return { directory: id, status: one.status, url: one.url };
    const typed = url.trim();
    return { directory: id, status, url: typed === '' ? null : typed };
  });
  const at = all.indexOf(directory);
  const write = useShowWrite(show, {
    write: (revision) => setDirectories(show.id, revision, listings),
    parts: () => ['directories'],
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: directoriesQuery(show.id).queryKey });
      showMessage({ text: t`Saved.` });
    },
  });
  return (
    <div className={styles['listing']}>
      <Form
        onSubmit={write.save}
        submit={t`Save`}
        kind="plain"
        isPending={write.isPending}
        error={write.error}
        fields={[`directories[${at}].url`]}
      >
        <Select
          label={t`How far it is`}
          value={status}
          onChange={setStatus}
          options={Object.entries(statuses).map(([value, label]) => {
            return { value: value as Directory['status'], label };
          })}
        />
        <TextField
          label={t`Address of the show there`}
          type="url"
          placeholder={`https://${directory.hosts[0]}/…`}
          value={url}
          onChange={(typed) => {
            setUrl(typed);
            if (typed !== '') setStatus('listed');
          }}
          problem={problemOf(write.error, `directories[${at}].url`)}
        />
      </Form>
    </div>
  );
}
