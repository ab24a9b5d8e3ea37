import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { podcastFields } from '../../../../server/src/lib/fields/podcast-fields.ts';
import { ApiError, problemOf } from '../../api/errors.ts';
import { importsQuery, requestImport } from '../../api/imports.ts';
import { createPodcast } from '../../api/podcasts.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { TextField } from '../../components/text-field.tsx';
import { readersZone } from '../../lib/time-zone.ts';
import { currentZone } from '../../lib/zones.ts';
import styles from './new-show.module.css';

/** The two ways to a show: create one, or import one. */
export function NewShow() {
  const { t } = useLingui();
  return (
    <Page title={t`Add a show`}>
      <div className={styles['ways']}>
        <CreateShow />
        <ImportShow />
      </div>
    </Page>
  );
}

function CreateShow() {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [title, setTitle] = useState('');
  const create = useMutation({
    mutationFn: () =>
      createPodcast({
        title: title.trim(),
        language: i18n.locale,
        timezone: currentZone(readersZone()),
      }),
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: ['podcasts'] });
      void queries.invalidateQueries({ queryKey: ['home'] });
      await navigate({ to: '/shows/$podcastId/episodes', params: { podcastId: id } });
    },
  });
  const refusal = create.error instanceof ApiError ? create.error.about('title') : undefined;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (title.trim() !== '') create.mutate();
  }
  return (
    <section className={styles['way']} aria-labelledby="begin">
      <h2 id="begin">
        <Trans>Start a new show</Trans>
      </h2>
      <p>
        <Trans>
          A title is enough for now. The show’s page and feed are public from the start, with no
          episodes yet.
        </Trans>
      </p>
      <form onSubmit={submit}>
        {create.error !== null && refusal === undefined && (
          <Notice tone="bad">
            <FailureText error={create.error} />
          </Notice>
        )}
        <TextField
          label={t`Show title`}
          value={title}
          onChange={setTitle}
          maxLength={podcastFields.title.max}
          isRequired
          problem={refusal}
        />
        <Button type="submit" kind="primary" isPending={create.isPending}>
          <Trans>Create show</Trans>
        </Button>
      </form>
    </section>
  );
}

function ImportShow() {
  const { t } = useLingui();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const look = useMutation({
    // A dry run: its screen shows the result, where the options can be changed.
    mutationFn: () =>
      requestImport({ url: url.trim(), copy_audio: true, overwrite: false, dry_run: true }),
    async onSuccess({ id }) {
      void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
      await navigate({ to: '/imports/$importId', params: { importId: id } });
    },
  });
  return (
    <section className={styles['way']} aria-labelledby="bring">
      <h2 id="bring">
        <Trans>Import a show</Trans>
      </h2>
      <p>
        <Trans>
          Paste its feed URL. Before anything changes, you’ll see what was found and what will
          happen.
        </Trans>
      </p>
      <Form
        onSubmit={look.mutate}
        submit={t`Check the feed`}
        kind="plain"
        isPending={look.isPending}
        error={look.error}
        fields={['url']}
      >
        <TextField
          label={t`Feed URL`}
          type="url"
          value={url}
          onChange={setUrl}
          placeholder="https://example.com/feed.xml"
          isRequired
          problem={problemOf(look.error, 'url')}
        />
      </Form>
    </section>
  );
}
