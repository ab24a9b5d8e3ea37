import { useLingui } from '@lingui/react/macro';
import { TextField } from './text-field.tsx';

interface Props {
  /** Whose password it is; password managers look for it in the form. */
  readonly email: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | undefined;
}

/** The current password, requested again before any change of access. */
export function PasswordAgain({ email, value, onChange, problem }: Props) {
  const { t } = useLingui();
  return (
    <>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label={t`Your current password`}
        type="password"
        autoComplete="current-password"
        value={value}
        onChange={onChange}
        problem={problem}
      />
    </>
  );
}
