import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ShowSettings } from '../../api/show-settings.ts';
import { membersQuery } from '../../api/team.ts';
import { NativeSelect } from '../../components/native-select.tsx';

interface Props {
  readonly show: ShowSettings;
  readonly value: string | null;
  readonly onChange: (userId: string | null) => void;
  readonly problem: string | undefined;
}

/** The member of the team who is this person. */
export function MemberSelect({ show, value, onChange, problem }: Props) {
  const { t } = useLingui();
  const { data: members = [] } = useQuery(membersQuery(show.id));
  const isListed = value === null || members.some((member) => member.user_id === value);
  return (
    <NativeSelect
      label={t`Member of the team`}
      hint={t`A co-host sees and edits the episodes that credit them.`}
      value={value ?? ''}
      onChange={(userId) => onChange(userId === '' ? null : userId)}
      problem={problem}
    >
      <option value="">{t`Nobody of the team`}</option>
      {!isListed && <option value={value}>{t`Somebody who left the team`}</option>}
      {members.map(({ user_id: userId, name, email }) => (
        <option key={userId} value={userId}>
          {name === email ? name : `${name} (${email})`}
        </option>
      ))}
    </NativeSelect>
  );
}
