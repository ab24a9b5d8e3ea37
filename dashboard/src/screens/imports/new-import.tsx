import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { type ImportRequest, importsQuery, requestImport } from '../../api/imports.ts';
import { allMyPodcastsQuery } from '../../api/podcasts.ts';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { ImportOptions, type Options } from './import-options.tsx';
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
  const own = (podcasts.data ?? []).filter(({ role }) => role === 'owner');
  return (
    <Page title={t`Import a show`}>
      <p className={styles['lead']}>
        <Trans>
          First we only look at the feed. You see what was found and what would happen; nothing is
          changed before you say so.
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
          label={t`Address of the feed`}
          type="url"
          value={url}
          onChange={setUrl}
          placeholder="https://example.com/feed.xml"
          autoComplete="off"
          autoFocus={given === ''}
          problem={problemOf(look.error, 'url')}
        />
        <ImportOptions
          shows={own}
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
