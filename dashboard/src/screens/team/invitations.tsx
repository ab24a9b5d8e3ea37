import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import {
  type Invitation,
  invitationsQuery,
  inviteMember,
  type MemberRole,
  revokeInvitation,
  type Team,
  teamQuery,
} from '../../api/team.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Form } from '../../components/form.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useRoleName } from '../../components/role-name.ts';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { type RoleChoice, RoleFields, toGivenRole } from './role-fields.tsx';

export function Invitations({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const invitations = useQuery(invitationsQuery(podcastId));
  const readAgain = () =>
    queries.invalidateQueries({ queryKey: invitationsQuery(podcastId).queryKey });
  const revoke = useMutation({
    mutationFn: (id: string) => revokeInvitation(podcastId, id),
    async onSuccess() {
      await readAgain();
      showMessage({ text: t`The invitation was withdrawn.` });
    },
  });
  // A new invitation replaces the first one, because the link of its email is not stored.
  const repeat = useMutation({
    mutationFn: (invitation: Invitation) => inviteMember(podcastId, sameAs(invitation)),
    async onSuccess(_, { email }) {
      await readAgain();
      showMessage({
        text: t`${email} has a new invitation. The links in the first one no longer work.`,
      });
    },
  });
  const error = revoke.error ?? repeat.error;
  return (
    <>
      {error !== null && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      <QueryView query={invitations}>
        {(list) =>
          list.length === 0 ? (
            <p>
              <Trans>There are no open invitations.</Trans>
            </p>
          ) : (
            <Cards label={t`Invitations`}>
              {list.map((invitation) => (
                <InvitationCard
                  key={invitation.id}
                  invitation={invitation}
                  onRepeat={() => repeat.mutate(invitation)}
                  onWithdraw={() => revoke.mutate(invitation.id)}
                  isPending={repeat.isPending}
                />
              ))}
            </Cards>
          )
        }
      </QueryView>
    </>
  );
}

interface CardProps {
  readonly invitation: Invitation;
  readonly onRepeat: () => void;
  readonly onWithdraw: () => void;
  readonly isPending: boolean;
}

function InvitationCard({ invitation, onRepeat, onWithdraw, isPending }: CardProps) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const { email, expires_at: expiresAt, link } = invitation;
  return (
    <Card
      level={3}
      title={
        <>
          {email} <Badge tone="info">{nameOf(invitation)}</Badge>
        </>
      }
      about={
        <Trans>
          Open until <LocalMoment of={expiresAt} />
        </Trans>
      }
      actions={
        invitation.may_manage && (
          <>
            <Button
              size="small"
              aria-label={t`Send again: ${email}`}
              isPending={isPending}
              onPress={onRepeat}
            >
              {t`Send again`}
            </Button>
            <Button size="small" aria-label={t`Withdraw: ${email}`} onPress={onWithdraw}>
              {t`Withdraw`}
            </Button>
          </>
        )
      }
    >
      <CopyField label={t`Invitation link for ${email}`} value={link} />
    </Card>
  );
}

const sameAs = ({ email, role, role_name, capabilities }: Invitation) => ({
  email,
  role: role as MemberRole,
  ...(role === 'custom' ? { role_name, capabilities } : {}),
});

/** The choice that most invitations begin with. */
const usualRole: MemberRole = 'editor';

interface InviteDialogProps {
  readonly show: MyPodcast;
  readonly onClose: () => void;
}

export function InviteDialog({ show, onClose }: InviteDialogProps) {
  const { t } = useLingui();
  const team = useQuery(teamQuery(show.id));
  return (
    <Dialog isOpen onClose={onClose} title={t`Invite someone`}>
      <QueryView query={team}>
        {(found) => <InviteForm show={show} team={found} onClose={onClose} />}
      </QueryView>
    </Dialog>
  );
}

function InviteForm({ show, team, onClose }: InviteDialogProps & { readonly team: Team }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<RoleChoice>({
    role: team.may_invite_as.find((role) => role === usualRole) ?? 'custom',
    name: '',
    capabilities: [],
  });
  const invite = useMutation({
    mutationFn: () => inviteMember(show.id, { email, ...toGivenRole(role) }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: invitationsQuery(show.id).queryKey });
      showMessage({ text: t`${email} was invited.` });
      onClose();
    },
  });
  return (
    <Form
      onSubmit={invite.mutate}
      submit={t`Invite`}
      isPending={invite.isPending}
      error={invite.error}
      fields={['email', 'role', 'role_name', 'capabilities']}
    >
      <TextField
        label={t`Email address`}
        type="email"
        autoComplete="off"
        autoFocus
        value={email}
        onChange={setEmail}
        problem={problemOf(invite.error, 'email')}
      />
      <RoleFields
        roles={team.may_invite_as}
        grantable={team.may_grant}
        value={role}
        onChange={setRole}
        error={invite.error}
      />
    </Form>
  );
}
