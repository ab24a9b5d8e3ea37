import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../api/me.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import { changeMember, type Member, removeMember, type Team, teamQuery } from '../../api/team.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card, Cards } from '../../components/card.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CreditEpisodes } from '../../components/credit-episodes.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useRoleName } from '../../components/role-name.ts';
import { showMessage } from '../../components/toasts.ts';
import { type RoleChoice, RoleFields, toGivenRole } from './role-fields.tsx';

export function Members({ show }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const team = useQuery(teamQuery(show.id));
  const me = useQuery(meQuery);
  const [changed, setChanged] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  return (
    <>
      <QueryView query={team}>
        {({ data: list }) => (
          <Cards label={t`Members`}>
            {list.map((member) => (
              <MemberCard
                key={member.user_id}
                of={member}
                show={show}
                isMe={member.user_id === me.data?.user.id}
                onChange={() => setChanged(member)}
                onRemove={() => setRemoved(member)}
              />
            ))}
          </Cards>
        )}
      </QueryView>
      {changed !== undefined && team.data !== undefined && (
        <MemberDialog
          show={show}
          team={team.data}
          of={changed}
          onClose={() => setChanged(undefined)}
        />
      )}
      {removed !== undefined && (
        <Removal podcastId={show.id} of={removed} onClose={() => setRemoved(undefined)} />
      )}
    </>
  );
}

interface CardProps {
  readonly of: Member;
  readonly show: MyPodcast;
  readonly isMe: boolean;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

function MemberCard({ of: member, show, isMe, onChange, onRemove }: CardProps) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const { name } = member;
  return (
    <Card
      level={3}
      title={
        <>
          <bdi>{name}</bdi>
          <Badge tone={member.role === 'owner' ? 'good' : 'info'}>{nameOf(member)}</Badge>
          {isMe && <Badge>{t`You`}</Badge>}
        </>
      }
      about={member.email}
      actions={
        // For themselves, they have “Leave the team”.
        !isMe && (
          <>
            {member.may_become.length > 0 && (
              <Button size="small" aria-label={t`Change role: ${name}`} onPress={onChange}>
                {t`Change role`}
              </Button>
            )}
            {member.may_remove && (
              <Button size="small" kind="danger" aria-label={t`Remove: ${name}`} onPress={onRemove}>
                {t`Remove`}
              </Button>
            )}
          </>
        )
      }
    >
      {!member.sees_all_episodes && (
        <CreditEpisodes podcastId={show.id} member={member} mayCredit={show.may.credit_members} />
      )}
    </Card>
  );
}

interface RemovalProps {
  readonly podcastId: string;
  readonly of: Member;
  readonly onClose: () => void;
}

function Removal({ podcastId, of: { user_id: userId, name }, onClose }: RemovalProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeMember(podcastId, userId),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['team', podcastId] });
      showMessage({ text: t`${name} is no longer on the team.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t`Remove ${name} from the team?`}
      action={t`Remove`}
      onConfirm={remove.mutate}
      isPending={remove.isPending}
      error={remove.error}
    >
      <p>
        <Trans>
          They lose access immediately, including through their API keys and connected sites.
          Invitations they sent are withdrawn. To come back, they need a new invitation.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}

interface MemberDialogProps {
  readonly show: MyPodcast;
  readonly team: Team;
  readonly of: Member;
  readonly onClose: () => void;
}

/** Gives a member another role. */
function MemberDialog({ show, team, of: member, onClose }: MemberDialogProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { name } = member;
  const [role, setRole] = useState<RoleChoice>({
    role: member.role as RoleChoice['role'],
    name: member.role === 'custom' ? member.role_name : '',
    capabilities: team.may_grant.filter((one) => member.capabilities.includes(one)),
  });
  const change = useMutation({
    mutationFn: () => changeMember(show.id, member.user_id, toGivenRole(role)),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['team', show.id] });
      showMessage({ text: t`${name} now has a different role.` });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={t`${name}’s role`}>
      <Form
        onSubmit={change.mutate}
        submit={t`Save role`}
        isPending={change.isPending}
        error={change.error}
        fields={['role', 'role_name', 'capabilities']}
      >
        <RoleFields
          roles={member.may_become}
          grantable={team.may_grant}
          value={role}
          onChange={setRole}
          error={change.error}
        />
        <p>
          <Trans>The new role takes effect immediately. Invitations they sent are withdrawn.</Trans>
        </p>
      </Form>
    </Dialog>
  );
}
