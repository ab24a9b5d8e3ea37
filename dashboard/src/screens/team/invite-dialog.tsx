import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import { invitationsQuery, inviteMember } from '../../api/team.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { TextField } from '../../components/text-field.tsx';
import { showMessage } from '../../components/toasts.ts';
import { rolesToGive } from '../../lib/roles.ts';
import { type RoleChoice, RoleFields, toGivenRole } from './role-fields.tsx';

interface Props {
  readonly show: MyPodcast;
  readonly onClose: () => void;
}

export function InviteDialog({ show, onClose }: Props) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<RoleChoice>({
    role: rolesToGive(show).includes('editor') ? 'editor' : 'custom',
    name: '',
    capabilities: [],
  });
  const invite = useMutation({
    mutationFn: () => inviteMember(show.id, { email, ...toGivenRole(role) }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: invitationsQuery(show.id).queryKey });
      showMessage({ text: t`${email} is invited.` });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={t`Invite someone`}>
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
        <RoleFields show={show} value={role} onChange={setRole} error={invite.error} />
      </Form>
    </Dialog>
  );
}
