import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { type MyPodcast, myPodcastQuery } from '../../api/podcasts.ts';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { NothingHere, QueryView } from '../../components/query-view.tsx';
import { Section } from '../../components/section.tsx';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import { useWish } from '../../shell/screen-actions.ts';
import { Handover } from './handover.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { Leaving } from './leaving.tsx';
import { Members } from './members.tsx';
import { MyRole } from './my-role.tsx';
import { ShowKeys } from './show-keys.tsx';

export function Team() {
  const { podcastId = '' } = useParams({ strict: false });
  const show = useQuery(myPodcastQuery(podcastId));
  return (
    <QueryView query={show}>
      {(found) => (found === null ? <NothingHere /> : <TeamOf show={found} />)}
    </QueryView>
  );
}

function TeamOf({ show }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const [isInviting, setInviting] = useState(false);
  const invite = useCallback(() => setInviting(true), []);
  useWish('invite', invite);
  const isOwner = show.role === 'owner';
  const manages = show.capabilities.includes('team.manage');
  return (
    <Page
      title={manages ? t`Team` : t`My role`}
      within={show.title}
      actions={manages && <Button kind="primary" onPress={invite}>{t`Invite someone`}</Button>}
    >
      {manages ? (
        <>
          <Section
            title={t`Members`}
            about={<Trans>Everybody who works on this show, and what they may do.</Trans>}
          >
            <Members show={show} />
          </Section>
          <Section
            title={t`Invitations`}
            about={
              <Trans>
                Sent by email. You can also copy a link and send it yourself: it works only with an
                account that has the invited address. Each invitation works once, for 14 days.
              </Trans>
            }
          >
            <UnsentEmails />
            <Invitations podcastId={show.id} />
          </Section>
          {isInviting && <InviteDialog show={show} onClose={() => setInviting(false)} />}
        </>
      ) : (
        <MyRole show={show} />
      )}
      {isOwner && <ShowKeys show={show} />}
      {isOwner ? <Handover podcastId={show.id} /> : <Leaving show={show} />}
    </Page>
  );
}
