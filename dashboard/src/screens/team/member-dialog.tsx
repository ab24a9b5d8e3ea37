import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MyPodcast } from '../../api/podcasts.ts';
import { changeMember, type Member } from '../../api/team.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { showMessage } from '../../components/toasts.ts';
import { type RoleChoice, RoleFields, toGivenRole } from './role-fields.tsx';

interface Props {
  readonly show: MyPodcast;
  readonly of: Member;
  readonly onClose: () => void;
}

/** Gives a member another role. */
export function MemberDialog({ show, of: member, onClose }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const { name } = member;
  const [role, setRole] = useState<RoleChoice>({
    role: member.role as RoleChoice['role'],
    name: member.role === 'custom' ? member.role_name : '',
    capabilities: member.capabilities.filter((one) => show.capabilities.includes(one)),
  });
  const change = useMutation({
    mutationFn: () => changeMember(show.id, member.user_id, toGivenRole(role)),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['team', show.id] });
      showMessage({ text: t`${name} has another role now.` });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={t`Role of ${name}`}>
      <Form
        onSubmit={change.mutate}
        submit={t`Save the role`}
        isPending={change.isPending}
        error={change.error}
        fields={['role', 'role_name', 'capabilities']}
      >
        <RoleFields show={show} value={role} onChange={setRole} error={change.error} />
        <p>
          <Trans>It counts at once. Invitations that they sent are withdrawn.</Trans>
        </p>
      </Form>
    </Dialog>
  );
}
