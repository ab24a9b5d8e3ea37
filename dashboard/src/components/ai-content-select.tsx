import { useLingui } from '@lingui/react/macro';
import { Select } from './select.tsx';

interface Props {
  readonly value: boolean | null;
  readonly onChange: (value: boolean | null) => void;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
}

const values = { '': null, true: true, false: false } as const;

/** Whether the makers say that artificial intelligence made a substantial part of it. */
export function AiContentSelect({ value, onChange, ...props }: Props) {
  const { t } = useLingui();
  return (
    <Select<keyof typeof values>
      label={t`AI-generated content`}
      hint={t`Apps can show this to listeners. Tools that only help with editing don’t count.`}
      options={[
        { value: '', label: t`Not stated` },
        { value: 'true', label: t`Contains AI-generated content` },
        { value: 'false', label: t`No AI-generated content` },
      ]}
      value={value === null ? '' : `${value}`}
      onChange={(choice) => onChange(values[choice])}
      {...props}
    />
  );
}
