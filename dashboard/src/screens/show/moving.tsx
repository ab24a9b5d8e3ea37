import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import {
  changeShowStatus,
  editShow,
  moveShow,
  type ShowSettings,
  showQuery,
} from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Switch } from '../../components/switch.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { DraftForm } from '../../editor/draft-form.tsx';
import { useFormDraft } from '../../editor/use-form-draft.ts';
import { refreshAfterWrite } from './refresh-after-write.ts';
import { ShowPage } from './show-page.tsx';
import { useFieldName } from './use-field-name.ts';
import { useShowWrite } from './use-show-write.ts';

/** Redirects subscribers to a feed at another host. */
export function Moving() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Moving`} needs={({ move }) => move}>
      {(show) => (
        <>
          {show.status === 'moved' && <Moved show={show} />}
          {show.new_feed_url === null && <MovedIn show={show} />}
          <Section
            title={show.status === 'moved' ? t`Correct the URL` : t`Move the show elsewhere`}
            about={
              <>
                <p>
                  <Trans>
                    Apps are permanently redirected to the new feed. Before you begin, the new feed
                    must work and have the same GUIDs.
                  </Trans>
                </p>
                <p>
                  <Trans>
                    Pages and audio stay here, and the pages say where the new feed is. Keep the
                    show here for a few months, until all apps have followed.
                  </Trans>
                </p>
              </>
            }
          >
            {show.may_become.includes('moved') ? (
              <MoveForm show={show} />
            ) : (
              <Notice tone="info">
                <Trans>You can only move the show while it’s public or paused.</Trans>
              </Notice>
            )}
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
    onSuccess: () => showMessage({ text: t`The feed is back here.` }),
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
          The feed redirects to <bdi>{show.new_feed_url}</bdi>. Apps that have already followed it
          come back only if that feed redirects here.
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

/** A show that has come from another host. */
function MovedIn({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const confirms = show.confirm_move;
  const write = useShowWrite(show, {
    write: (revision) => editShow(show.id, revision, { confirm_move: !confirms }),
    parts: () => ['confirm_move'],
  });
  return (
    <Section
      title={t`After a move here`}
      about={
        <p>
          <Trans>
            If the show was at another host before, the feed can state its new URL (
            <code>itunes:new-feed-url</code>). Apple Podcasts then knows that the move was intended.
            Leave it on for at least four weeks.
          </Trans>
        </p>
      }
    >
      <Switch
        isSelected={confirms}
        isDisabled={!show.may.move || write.isPending}
        onChange={write.save}
      >{t`Confirm the feed’s URL to Apple Podcasts`}</Switch>
      {write.error !== null && (
        <Notice tone="bad">
          <FailureText error={write.error} />
        </Notice>
      )}
    </Section>
  );
}

function MoveForm({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const query = showQuery(show.id);
  const draft = useFormDraft<ShowSettings>({
    name: `${show.id} move`,
    data: show,
    fieldsOf: (data) => ({ new_feed_url: data.new_feed_url }),
    known: () => queries.getQueryData(query.queryKey),
    load: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    write: (patch, { revision }) =>
      moveShow(show.id, revision, String(patch['new_feed_url'] ?? '')),
    onSaved(written) {
      void refreshAfterWrite(queries, show.id, written);
      showMessage({ text: t`The feed now redirects to the new one.` });
    },
  });
  const nameOf = useFieldName();
  if (draft === undefined) return null;
  return (
    <DraftForm
      nameOf={nameOf}
      draft={draft}
      submit={show.status === 'moved' ? t`Save` : t`Redirect subscribers`}
      kind={show.status === 'moved' ? 'primary' : 'danger'}
      fields={['new_feed_url']}
    >
      <TextField
        label={t`New feed URL`}
        type="url"
        placeholder="https://example.com/feed.xml"
        value={String(draft.state.values['new_feed_url'] ?? '')}
        onChange={(url) => draft.edit({ new_feed_url: url.trim() === '' ? null : url })}
        problem={draft.state.problems['new_feed_url']}
      />
    </DraftForm>
  );
}
