import { Trans, useLingui } from '@lingui/react/macro';
import type { MyPodcast } from '../../api/podcasts.ts';
import { useRoleName } from '../../components/role-name.ts';
import { Section } from '../../components/section.tsx';
import { useCapabilityGroups } from './role-words.ts';

/** The permissions of a member who does not manage the team. */
export function MyRole({ show }: { readonly show: MyPodcast }) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const words = useCapabilityGroups()
    .slice(0, 2)
    .flatMap(({ capabilities }) => capabilities)
    .filter(([name]) => show.capabilities.includes(name));
  return (
    <Section
      title={nameOf(show)}
      about={<Trans>The owner of the show gives roles. Ask them if you need more.</Trans>}
    >
      {words.length === 0 ? (
        <p>
          <Trans>You see the episodes that credit you.</Trans>
        </p>
      ) : (
        <>
          <p>{t`You may:`}</p>
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
