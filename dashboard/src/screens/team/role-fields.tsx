import { useLingui } from '@lingui/react/macro';
import { maxChars } from '../../../../server/src/lib/limits.ts';
import { problemOf } from '../../api/errors.ts';
import type { Capability, GivenRole, MemberRole } from '../../api/team.ts';
import { CheckboxGroup } from '../../components/checkbox-group.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useCapabilityGroups, useRoleWords } from './role-words.ts';

export interface RoleChoice {
  readonly role: MemberRole;
  readonly name: string;
  readonly capabilities: readonly Capability[];
}

export const toGivenRole = ({ role, name, capabilities }: RoleChoice): GivenRole =>
  role === 'custom' ? { role, role_name: name, capabilities: [...capabilities] } : { role };

interface Props {
  /** Those that the person may give. */
  readonly roles: readonly MemberRole[];
  /** What a custom role may include. */
  readonly grantable: readonly Capability[];
  readonly value: RoleChoice;
  readonly onChange: (value: RoleChoice) => void;
  readonly error: unknown;
}

export function RoleFields({ roles, grantable, value, onChange, error }: Props) {
  const { t } = useLingui();
  const words = useRoleWords();
  const choices = roles.map((role) => {
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
            grantable={grantable}
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
  readonly grantable: readonly Capability[];
  readonly value: readonly Capability[];
  readonly onChange: (value: Capability[]) => void;
  readonly problem: string | undefined;
}

function Capabilities({ grantable, value, onChange, problem }: CapabilitiesProps) {
  const groups = useCapabilityGroups();
  return groups.map(({ label, hint, capabilities }) => {
    const offered = capabilities.filter(([name]) => grantable.includes(name));
    const names = new Set(offered.map(([name]) => name));
    if (offered.length === 0) return null;
    return (
      <CheckboxGroup
        key={label}
        label={label}
        hint={hint}
        choices={offered.map(([name, words]) => ({ value: name, label: words }))}
        value={value.filter((name) => names.has(name))}
        onChange={(chosen) => onChange([...value.filter((name) => !names.has(name)), ...chosen])}
        problem={problem}
      />
    );
  });
}
