import { useLingui } from '@lingui/react/macro';
import { CheckboxGroup } from '../../../components/checkbox-group.tsx';
import { type Scope, useScopeLabels } from './key-choices.ts';

interface Props {
  readonly label: string;
  readonly offered: readonly Scope[];
  readonly value: readonly Scope[];
  readonly onChange: (value: Scope[]) => void;
  readonly problem: string | undefined;
}

export function ScopesField({ label, offered, value, onChange, problem }: Props) {
  const { t } = useLingui();
  const words = useScopeLabels();
  return (
    <CheckboxGroup
      label={label}
      hint={t`Choose what the key needs; you can add more later.`}
      choices={offered.map((scope) => ({ value: scope, label: words[scope], hint: scope }))}
      value={value}
      onChange={onChange}
      problem={problem}
    />
  );
}
