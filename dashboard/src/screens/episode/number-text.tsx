import { TextField } from '../../components/text-field.tsx';
import { useField } from './editing.ts';

interface Props {
  readonly label: string;
  readonly name: 'season' | 'episode_number';
}

/** A whole number or nothing. Only digits can be typed. */
export function NumberText({ label, name }: Props) {
  const { value, onChange, ...field } = useField(name);
  return (
    <TextField
      {...field}
      label={label}
      inputMode="numeric"
      maxLength={7}
      value={value === null ? '' : String(value)}
      onChange={(text) => {
        const digits = text.replace(/\D/g, '');
        onChange(digits === '' ? null : Number(digits));
      }}
    />
  );
}
