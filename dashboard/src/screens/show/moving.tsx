import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { changeShowStatus, moveShow, type ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { ShowPage } from './show-page.tsx';
import { useShowWrite } from './use-show-write.ts';

/** Leads subscribers to a feed at another host. */
export function Moving() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Moving`} needs={({ move }) => move}>
      {(show) => (
        <>
          {show.status === 'moved' && <Moved show={show} />}
          <Section
            title={show.status === 'moved' ? t`Correct the address` : t`Move the show elsewhere`}
            about={
              <>
                <p>
                  <Trans>
                    Apps that ask for the feed here are led to the new one, permanently. The new
                    feed must work before you begin, and have the same GUIDs.
                  </Trans>
                </p>
                <p>
                  <Trans>
                    Pages and audio stay here. Leave the show here for some months, until all apps
                    have followed.
                  </Trans>
                </p>
              </>
            }
          >
            <MoveForm show={show} key={show.new_feed_url} />
          </Section>
        </>
      )}
    </ShowPage>
  );
}

function Moved({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const stay = useShowWrite(show, {
    write: (revision) => changeShowStatus.stay(show.id, revision),
    parts: () => ['status', 'new_feed_url'],
    onSuccess: () => showMessage({ text: t`The feed is here again.` }),
  });
  return (
    <>
      <Notice
        tone="info"
        action={
          <Button size="small" isPending={stay.isPending} onPress={stay.save}>
            {t`End the move`}
          </Button>
        }
      >
        <Trans>
          The feed leads to <bdi>{show.new_feed_url}</bdi>. Apps that have followed it already come
          back only if that feed leads here.
        </Trans>
      </Notice>
      {stay.error !== null && (
        <Notice tone="bad">
          <FailureText error={stay.error} />
        </Notice>
      )}
    </>
  );
}

function MoveForm({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const [url, setUrl] = useState(show.new_feed_url ?? '');
  const move = useShowWrite(show, {
    write: (revision) => moveShow(show.id, revision, url.trim()),
    parts: () => ['status', 'new_feed_url'],
    onSuccess: () => showMessage({ text: t`The feed leads to the new one.` }),
  });
  return (
    <Form
      onSubmit={() => url.trim() !== '' && move.save()}
      submit={show.status === 'moved' ? t`Save` : t`Lead all subscribers there`}
      kind={show.status === 'moved' ? 'primary' : 'danger'}
      isPending={move.isPending}
      error={move.error}
      fields={['new_feed_url']}
    >
      <TextField
        label={t`Address of the new feed`}
        type="url"
        placeholder="https://example.com/feed.xml"
        value={url}
        onChange={setUrl}
        problem={problemOf(move.error, 'new_feed_url')}
      />
    </Form>
  );
}
