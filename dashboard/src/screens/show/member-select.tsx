import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ShowSettings } from '../../api/show-settings.ts';
import { membersQuery } from '../../api/team.ts';
import { CreditEpisodes } from '../../components/credit-episodes.tsx';
import { NativeSelect } from '../../components/native-select.tsx';

interface Props {
  readonly show: ShowSettings;
  readonly value: string | null;
  /** The member whom the person was saved with. */
  readonly saved: string | null;
  readonly onChange: (userId: string | null) => void;
  readonly problem: string | undefined;
}

/** The member of the team who is this person, and which episodes they see by it. */
export function MemberSelect({ show, value, saved, onChange, problem }: Props) {
  const { t } = useLingui();
  const { data: members = [] } = useQuery(membersQuery(show.id));
  const isListed = value === null || members.some((member) => member.user_id === value);
  const linked = members.find((member) => member.user_id === saved && value === saved);
  return (
    <>
      <NativeSelect
        label={t`Member of the team`}
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
      {linked !== undefined && !linked.sees_all_episodes && (
        <CreditEpisodes podcastId={show.id} member={linked} mayCredit />
      )}
    </>
  );
}
