import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { invitationDays } from '../../../../server/src/lib/limits.ts';
import { type MyPodcast, myPodcastQuery } from '../../api/podcasts.ts';
import { leavePodcast } from '../../api/team.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Page } from '../../components/page.tsx';
import { NothingHere, QueryView } from '../../components/query-view.tsx';
import { useRoleName } from '../../components/role-name.ts';
import { Section } from '../../components/section.tsx';
import { showMessage } from '../../components/toasts.ts';
import { UnsentEmails } from '../../components/unsent-emails.tsx';
import { useWish } from '../../shell/screen-actions.ts';
import { Handover } from './handover.tsx';
import { Invitations, InviteDialog } from './invitations.tsx';
import { Members } from './members.tsx';
import { useCapabilityGroups } from './role-words.ts';
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
  const { may } = show;
  const manages = may.team;
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
            about={<Trans>Everyone who works on this show, and what they can do.</Trans>}
          >
            <Members show={show} />
          </Section>
          <Section
            title={t`Invitations`}
            about={
              <Trans>
                Sent by email. You can also copy a link and send it yourself: it only works for an
                account with the invited email address. Each invitation works once and expires after{' '}
                <Plural value={invitationDays} one="# day" other="# days" />.
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
      {(may.set_team_keys || may.cut_off_keys) && <ShowKeys show={show} />}
      {may.offer_ownership && <Handover podcastId={show.id} />}
      {may.leave && <Leaving show={show} />}
    </Page>
  );
}

function Leaving({ show: { id, title } }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => leavePodcast(id),
    async onSuccess() {
      showMessage({ text: t`You’ve left the team of ${title}.` });
      await navigate({ to: '/' });
      await queries.invalidateQueries();
    },
  });
  return (
    <Section
      title={t`Leave the team`}
      about={<Trans>To come back, you need a new invitation.</Trans>}
    >
      <Button kind="danger" onPress={() => setAsking(true)}>{t`Leave the team`}</Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t`Leave the team?`}
        action={t`Leave the team`}
        onConfirm={leave.mutate}
        isPending={leave.isPending}
        error={leave.error}
      >
        <p>
          <Trans>
            You lose access to this show immediately, including through your API keys and connected
            sites.
          </Trans>
        </p>
      </ConfirmDialog>
    </Section>
  );
}

/** The permissions of a member who does not manage the team. */
function MyRole({ show }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const words = useCapabilityGroups()
    .slice(0, 2)
    .flatMap(({ capabilities }) => capabilities)
    .filter(([name]) => show.capabilities.includes(name));
  return (
    <Section
      title={nameOf(show)}
      about={<Trans>The show’s owner assigns roles. Ask them if you need more access.</Trans>}
    >
      {words.length === 0 ? (
        <p>
          <Trans>You can see the episodes that credit you.</Trans>
        </p>
      ) : (
        <>
          <p>{t`You can:`}</p>
          <ul>
            {words.map(([name, label]) => (
              <li key={name}>{label}</li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
