import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import { problemOf } from '../../api/errors.ts';
import { type ImportRequest, importsQuery, requestImport } from '../../api/imports.ts';
import { allMyPodcastsQuery, type MyPodcast } from '../../api/podcasts.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './imports.module.css';

export function NewImport() {
  const { t } = useLingui();
  const { url: given = '', into = '' } = useSearch({ strict: false }) as {
    readonly url?: string;
    readonly into?: string;
  };
  const navigate = useNavigate();
  const queries = useQueryClient();
  const podcasts = useQuery(allMyPodcastsQuery);
  const [url, setUrl] = useState(given);
  const [options, setOptions] = useState<Options>({
    into,
    slug: '',
    audio: 'copy',
    overwrite: false,
  });
  const look = useMutation({
    mutationFn: () => requestImport(toRequest(url.trim(), options)),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await navigate({ to: '/imports/$importId', params: { importId: id } });
    },
  });
  const shows = (podcasts.data ?? []).filter(({ may }) => may.import);
  return (
    <Page title={t`Import a show`}>
      <p className={styles['lead']}>
        <Trans>
          First, we only check the feed and show you what the import would do. Nothing changes until
          you confirm it.
        </Trans>
      </p>
      <Form
        onSubmit={look.mutate}
        submit={t`Check the feed`}
        isPending={look.isPending}
        error={look.error}
        fields={['url', 'slug', 'into']}
      >
        <TextField
          label={t`Feed URL`}
          type="url"
          value={url}
          onChange={setUrl}
          placeholder="https://example.com/feed.xml"
          autoComplete="off"
          autoFocus={given === ''}
          problem={problemOf(look.error, 'url')}
        />
        <ImportOptions
          shows={shows}
          value={options}
          onChange={setOptions}
          error={look.error}
          isOpen={into !== ''}
        />
      </Form>
    </Page>
  );
}

function toRequest(url: string, { into, slug, audio, overwrite }: Options): ImportRequest {
  return {
    url,
    ...(into !== '' && { into }),
    ...(into === '' && slug !== '' && { slug }),
    copy_audio: audio === 'copy',
    overwrite: into !== '' && overwrite,
    dry_run: true,
  };
}

interface Options {
  /** The slug of an existing show; empty: a new one. */
  readonly into: string;
  readonly slug: string;
  readonly audio: 'copy' | 'leave';
  readonly overwrite: boolean;
}

interface Props {
  readonly shows: readonly MyPodcast[];
  readonly value: Options;
  readonly onChange: (value: Options) => void;
  readonly error: unknown;
  readonly isOpen: boolean;
}

/** Options that few people need. */
function ImportOptions({ shows, value, onChange, error, isOpen }: Props) {
  const { t } = useLingui();
  const set = (change: Partial<Options>) => onChange({ ...value, ...change });
  const hasProblem = ['slug', 'into'].some((field) => problemOf(error, field) !== undefined);
  return (
    <details className={styles['options']} open={isOpen || hasProblem}>
      <summary>
        <Trans>Options</Trans>
      </summary>
      {shows.length > 0 && (
        <Select
          label={t`Import into`}
          options={[
            { value: '', label: t`A new show, or the one already imported from this feed` },
            ...shows.map(({ slug, title }) => ({ value: slug, label: title })),
          ]}
          value={value.into}
          onChange={(into) => set({ into })}
          problem={problemOf(error, 'into')}
        />
      )}
      {value.into === '' ? (
        <TextField
          label={t`URL slug of the new show`}
          hint={t`Letters, digits and hyphens. If you leave this empty, we’ll create it from the title.`}
          value={value.slug}
          maxLength={maxChars.slug}
          onChange={(slug) => set({ slug })}
          autoComplete="off"
          problem={problemOf(error, 'slug')}
        />
      ) : (
        <Checkbox isSelected={value.overwrite} onChange={(overwrite) => set({ overwrite })}>
          <Trans>
            Replace values changed here with those in the feed, and restore deleted episodes
          </Trans>
        </Checkbox>
      )}
      <RadioGroup
        label={t`Audio`}
        choices={[
          { value: 'copy', label: t`Copy it here` },
          {
            value: 'leave',
            label: t`Leave it at the old host for now`,
            hint: t`Copy it before you close your account there.`,
          },
        ]}
        value={value.audio}
        onChange={(audio) => set({ audio })}
      />
    </details>
  );
}
