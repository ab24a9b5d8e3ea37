import { useLingui } from '@lingui/react/macro';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import type { FixedRole } from '../../../../server/src/lib/team-roles.ts';
import { problemOf } from '../../api/errors.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import type { GivenRole } from '../../api/team.ts';
import { CheckboxGroup } from '../../components/checkbox-group.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { TextField } from '../../components/text-field.tsx';
import { rolesToGive } from '../../lib/roles.ts';
import { useCapabilityGroups, useRoleWords } from './role-words.ts';

export interface RoleChoice {
  readonly role: FixedRole | 'custom';
  readonly name: string;
  readonly capabilities: readonly string[];
}

export const toGivenRole = ({ role, name, capabilities }: RoleChoice): GivenRole =>
  role === 'custom' ? { role, role_name: name, capabilities: [...capabilities] } : { role };

interface Props {
  /** Only roles and capabilities that the person may give can be chosen. */
  readonly show: MyPodcast;
  readonly value: RoleChoice;
  readonly onChange: (value: RoleChoice) => void;
  readonly error: unknown;
}

export function RoleFields({ show, value, onChange, error }: Props) {
  const { t } = useLingui();
  const words = useRoleWords();
  const choices = [...rolesToGive(show), 'custom' as const].map((role) => {
    const [label, hint] = words[role];
    return { value: role, label, hint };
  });
  return (
    <>
      <RadioGroup
        label={t`Role`}
        choices={choices}
        value={value.role}
        onChange={(role) => onChange({ ...value, role })}
        problem={problemOf(error, 'role')}
      />
      {value.role === 'custom' && (
        <>
          <TextField
            label={t`Role name`}
            value={value.name}
            onChange={(name) => onChange({ ...value, name })}
            maxLength={maxChars.roleName}
            autoComplete="off"
            problem={problemOf(error, 'role_name')}
          />
          <Capabilities
            show={show}
            value={value.capabilities}
            onChange={(capabilities) => onChange({ ...value, capabilities })}
            problem={problemOf(error, 'capabilities')}
          />
        </>
      )}
    </>
  );
}

interface CapabilitiesProps {
  readonly show: MyPodcast;
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
  readonly problem: string | undefined;
}

function Capabilities({ show, value, onChange, problem }: CapabilitiesProps) {
  const groups = useCapabilityGroups();
  return groups.map(({ label, hint, capabilities }) => {
    const mine = capabilities.filter(([name]) => show.capabilities.includes(name));
    const names = new Set<string>(mine.map(([name]) => name));
    if (mine.length === 0) return null;
    return (
      <CheckboxGroup
        key={label}
        label={label}
        hint={hint}
        choices={mine.map(([name, words]) => ({ value: name as string, label: words }))}
        value={value.filter((name) => names.has(name))}
        onChange={(chosen) => onChange([...value.filter((name) => !names.has(name)), ...chosen])}
        problem={problem}
      />
    );
  });
}
